/** Why no encrypted connection comes about, however often it is tried. */
export type SecureFault = 'unencrypted' | 'protocol' | 'untrusted' | 'name' | 'time';

/** The words of OpenSSL in an error: `…:SSL routines:ssl3_get_record:wrong version number:…`. */
const WORDS = /:SSL routines:[^:]{0,100}:([^:]{1,100})/;
// What it makes of an answer that is plain text.
const PLAIN = /wrong version number|packet length too long|http request|record layer failure/i;

/** Tells what kind of trouble an error of a connection is by its code and message, if it is one that stays. */
export function secureFaultOf(code: unknown, message: string): SecureFault | undefined {
  if (typeof code !== 'string') return undefined;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return PLAIN.test(message) ? 'unencrypted' : 'protocol';
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(code)) return 'name';
  if (/^(?:CERT|CRL)_(?:HAS_EXPIRED|NOT_YET_VALID)$/.test(code)) return 'time';
  return /CERT|CRL|_SIGNATURE$|_PUBLIC_KEY$|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/.test(code)
    ? 'untrusted'
    : undefined;
}

/** An error's message without the places in OpenSSL's source that it names. */
export function withoutPlaces(message: string): string {
  const words = WORDS.exec(message)?.[1];
  return words === undefined ? message : `no encrypted connection: ${words}`;
}

/** What can be done about it, as a hint on the command line. */
export function secureCure(fault: SecureFault, at: 'server' | 'proxy'): string {
  const address = at === 'server' ? 'base URL' : 'address of the proxy';
  switch (fault) {
    case 'unencrypted':
      return `the ${at} does not speak https there: begin the ${address} with http://`;
    case 'protocol':
      return `the ${at} offers no version of TLS that frctl knows, or wants a certificate of yours: check the ${address}`;
    case 'untrusted':
      return `if the ${at} is yours, name the file of its certificate, or of the authority that signed it, in NODE_EXTRA_CA_CERTS`;
    case 'name':
      return `put a name that the certificate is for into the ${address}`;
    case 'time':
      return `check the clock here; else the certificate of the ${at} has to be renewed`;
  }
}
