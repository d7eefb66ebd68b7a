/** The errors about the domains of orgs and DNS records, in Spanish. */
export const domains = {
  dns_needs_test_mode: "Solo se pueden establecer registros DNS con SALLYPORT_TEST_MODE=on.",
  dns_of_kit: "En el kit de pruebas, establezca registros DNS con setDns().",
  domain_freemail: "{field}: es de un proveedor de correo gratuito, así que ninguna organización puede ser su titular.",
  domain_suffix:
    "{field}: es un sufijo público, bajo el que cualquiera puede registrar nombres. Indique un dominio propio por debajo de él.",
  domain_unknown_suffix: "{field}: no termina en un sufijo público, como com o co.uk.",
  email_domain_form: "{field}: debe ser el dominio de direcciones de correo, como example.com.",
  too_many_domains: "Una organización puede tener {most} dominios como máximo."
}

/** The reasons why a check of a domain failed, in Spanish. */
export const domainResults = {
  domain_alias: "{name} es un alias (CNAME) de otro nombre. Cree el registro TXT en el propio {name}.",
  domain_disagreement:
    "Por ahora, solo algunos servidores DNS devuelven el registro TXT de {name}. Espere a que el cambio se propague y vuelva a comprobar.",
  domain_held:
    "El registro TXT es correcto, pero otra organización ha verificado el dominio y su registro en {name} sigue existiendo. Elimine el registro de la otra organización para obtener el dominio.",
  domain_no_record: "{name} existe en DNS, pero no tiene ningún registro TXT. Cree el registro y vuelva a comprobar.",
  domain_nxdomain: "El nombre {name} no existe en DNS. Cree el registro TXT y vuelva a comprobar.",
  domain_replaced:
    "Otra organización ha verificado el dominio después de que se eliminara el registro de esta organización en {name}.",
  domain_servfail:
    "No se pudo consultar {name} en DNS. Revise los servidores de nombres del dominio y su DNSSEC, y vuelva a comprobar.",
  domain_timeout: "DNS no respondió a tiempo a la consulta de {name}. Vuelva a comprobar dentro de unos minutos.",
  domain_too_large: "{name} tiene demasiados registros TXT, o son demasiado largos. Elimine los que no necesite.",
  domain_wrong_value: "{name} no tiene ningún registro TXT con este valor. Tiene otros valores: {found}."
}
