/** Splits a string at whitespace. */
const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

/** URL hosts that lead to this machine, its network or nowhere, in every spelling that a parser may accept. */
export const privateHosts: ReadonlyArray<string> = [
  // This machine.
  ...words("127.0.0.1 127.0.0.1. 127.1 127.0.1 127.255.255.254 0 0.0.0.0 0.0.0.0. 0.1.2.3"),
  // This machine, as numbers in other bases and lengths.
  ...words(`
    2130706433 017700000001 0x7f000001 0x7F.1 0177.0.0.1 0x7f.0.0.1 0x7f.0x0.0x0.0x1 00000000177.0.0.1
    127.0.0x1 0177.0x1 %31%32%37.0.0.1 %30x7f.1
  `),
  // This machine, in characters that are normalized in host names.
  ...words("１２７.0.0.1 127。0。0。1 ①②⑦.⓪.⓪.① 𝟭𝟮𝟳.𝟬.𝟬.𝟭 ⓛocalhost ＬＯＣＡＬＨＯＳＴ locaₗhost"),
  // Private (RFC 1918), link-local (RFC 3927) and carrier-grade NAT networks (RFC 6598).
  ...words(`
    10.0.0.1 10.255.255.255 012.0.0.1 0xa.1 167772161 172.16.0.1 172.31.255.255 0xac.0x10.1 192.168.0.1
    192.168.255.255 3232235521 0300.0250.1 100.64.0.1 100.127.255.254 100.100.100.200
  `),
  // Metadata services of cloud providers, which reveal secrets.
  ...words(`
    169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 169.254.170.2 168.63.129.16
    192.0.0.192 metadata.google.internal metadata instance-data
  `),
  // Reserved, documentation, benchmark and multicast addresses.
  ...words(`
    192.0.0.1 192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 192.88.99.1 224.0.0.1
    239.255.255.255 240.0.0.1 255.255.255.255 4294967295 0xffffffff
  `),
  // IPv6: unspecified, loopback, link-local, site-local, unique local, multicast, documentation and discard addresses.
  ...words(`
    [::] [::1] [0:0:0:0:0:0:0:1] [0000::0001] [fe80::1] [febf::1] [fec0::1] [fc00::1] [fd00:ec2::254]
    [fdff::1] [ff02::1] [ff0e::1] [2001:db8::1] [3fff::1] [100::1] [5f00::1]
  `),
  // IPv4 inside IPv6: mapped, compatible, translated (RFC 6052, RFC 8215, RFC 6145), 6to4, Teredo.
  ...words(`
    [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001] [::ffff:a9fe:a9fe] [::ffff:8.8.8.8]
    [::127.0.0.1] [::7f00:1] [64:ff9b::7f00:1] [64:ff9b::169.254.169.254] [64:ff9b:1::a00:1]
    [::ffff:0:7f00:1] [2002:7f00:1::] [2002:a9fe:a9fe::1] [2001:0:4136:e378:8000:63bf:80ff:fffe]
  `),
  // Unallocated addresses.
  ...words("[4000::1] [8000::1] [1::1] [e000::1]"),
  // Names that never leave a network.
  ...words(`
    localhost LOCALHOST localhost. localhost.. a.localhost a.b.localhost. localhost.localdomain
    localhost6 ip6-localhost db db. printer.local vault.internal vault.internal. svc.cluster.local
    router.lan nas.home nas.home.arpa wiki.corp wiki.intranet x.private
  `)
]

/** Invalid hosts. */
export const brokenHosts: ReadonlyArray<string> = [
  "127.0.0.256",
  "0x7f.0.0.0.1",
  "[::1",
  "::1",
  "[fe80::1%25eth0]",
  "[::ffff:127.0.0.1.]",
  "4294967296",
  "127.0.0.1\\@example.com",
  "127.0.0.1\t",
  "local\u00adhost",
  "127.0.0.1%00",
  "exam ple.com",
  "a\u200blocalhost"
]

/** Addresses just outside private ranges, and names that only resemble private ones. */
export const publicHosts: ReadonlyArray<string> = words(`
    example.com EXAMPLE.com. bücher.example localhost.example.com local.example.com mylocalhost.dev
    10.0.0.1.example.com internal.example 8.8.8.8 134744072 9.255.255.255 11.0.0.0 172.15.255.255
    172.32.0.0 192.167.255.255 192.169.0.0 100.63.255.255 100.128.0.0 169.253.255.255 169.255.0.0
    198.17.255.255 198.20.0.0 223.255.255.255 1.0.0.0 128.0.0.1 126.255.255.255 [2606:4700:4700::1111]
    [2a00:1450:4001::1] [2001:4860:4860::8888] [2400::1]
`)

/** Addresses that names may resolve to, as resolvers write them. */
export const privateAddresses: ReadonlyArray<string> = words(`
    127.0.0.1 127.53.0.1 0.0.0.0 10.1.2.3 172.16.0.1 172.31.0.1 192.168.1.1 169.254.169.254 100.64.0.1
    192.0.0.8 192.0.2.5 198.18.0.1 198.51.100.5 203.0.113.5 224.0.0.251 240.0.0.1 255.255.255.255
    168.63.129.16 :: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::127.0.0.1 ::7f00:1 64:ff9b::7f00:1
    64:ff9b:1::7f00:1 2002:7f00:1:: 2001::1 fe80::1 fe80::1%lo fec0::1 fd00::1 fc00::1 ff02::1
    2001:db8::1 100::1 ::ffff:0:7f00:1 localhost 2606:4700::1%eth0
`)
