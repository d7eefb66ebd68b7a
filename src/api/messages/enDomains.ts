/** The errors about the domains of orgs and DNS records, in English. */
export const domains = {
  dns_needs_test_mode: "DNS records can be set only with SALLYPORT_TEST_MODE=on.",
  dns_of_kit: "In the test kit, set DNS records with setDns().",
  domain_freemail: "{field} belongs to a provider of free mailboxes, so no organization can own it.",
  domain_suffix: "{field} is a public suffix, under which anyone can register names. Enter your own domain below it.",
  domain_unknown_suffix: "{field} does not end in a public suffix such as com or co.uk.",
  email_domain_form: "{field} must be the domain of email addresses, such as example.com.",
  too_many_domains: "An org can have at most {most} domains."
}

/** The reasons why a check of a domain failed, in English. */
export const domainResults = {
  domain_alias: "{name} is an alias (CNAME) of another name. Create the TXT record at {name} itself.",
  domain_disagreement:
    "Only some DNS servers return the TXT record of {name} so far. Wait until the change has spread, then check again.",
  domain_held:
    "The TXT record is correct, but another org has verified the domain, and its record at {name} still exists. Remove the other org's record to take over the domain.",
  domain_no_record: "{name} exists in DNS, but has no TXT record. Create the record, then check again.",
  domain_nxdomain: "The name {name} does not exist in DNS. Create the TXT record, then check again.",
  domain_replaced: "Another org has verified the domain since this org's record at {name} was removed.",
  domain_servfail: "DNS could not look up {name}. Check the domain's name servers and its DNSSEC, then check again.",
  domain_timeout: "DNS did not respond in time to the question for {name}. Check again in a few minutes.",
  domain_too_large: "{name} has too many or too long TXT records. Remove those that you don't need.",
  domain_wrong_value: "{name} has no TXT record with this value. It has other values: {found}."
}
