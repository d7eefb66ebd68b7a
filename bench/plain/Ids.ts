import { randomFillSync } from "node:crypto"

const form = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Whether a text has the form of an id: the prefix and 26 base32 characters. */
export const isId = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) && form.test(text.slice(prefix.length))

const alphabet = Array.from("0123456789abcdefghjkmnpqrstvwxyz")
const pairs = alphabet.flatMap((first) => alphabet.map((second) => first + second))
const quad = (bits20: number) => `${pairs[bits20 >>> 10]}${pairs[bits20 & 1023]}`
const octet = (bits40: number) => quad(Math.floor(bits40 / 2 ** 20)) + quad(bits40 % 2 ** 20)

const pool = Buffer.alloc(4_096)
let used = pool.length

const random40 = (): number => {
  if (used + 5 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 5
  return pool.readUIntBE(used - 5, 5)
}

let millis = 0
let high = 0
let low = 0

/** Generates an id from 48 bits of time and 80 random bits. Within the same millisecond, it is the previous id plus one. */
export const freshId = (prefix: string): string => {
  const now = Date.now()
  if (now > millis) {
    millis = now
    high = random40()
    low = random40()
  } else if (++low === 2 ** 40) {
    low = 0
    high++
  }
  return prefix + pairs[Math.floor(millis / 2 ** 40)] + octet(millis % 2 ** 40) + octet(high) + octet(low)
}
