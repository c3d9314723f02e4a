/** The host of a URL, without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** The host of an address in its shortest form: the DNS allows a dot at its end. */
export const canonicalHostOf = (url: URL | string): string => hostOf(new URL(url)).replace(/\.$/, '');
