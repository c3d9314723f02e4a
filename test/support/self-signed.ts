import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface SelfSigned {
  /** PEM. */
  readonly cert: string;
  /** PEM. It exists in this process only. */
  readonly key: string;
}

/** A value in DER (ITU-T X.690): its tag, its length and its content. */
const der = (tag: number, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  const length = Buffer.from(body.length.toString(16).padStart(4, '0'), 'hex');
  return Buffer.concat([Buffer.from(body.length < 128 ? [tag, body.length] : [tag, 0x82, ...length]), body]);
};

const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (tag: number, text: string): Buffer => der(tag, Buffer.from(text));

const COMMON_NAME = oid('550403');
const BASIC_CONSTRAINTS = oid('551d13');
const SUBJECT_ALT_NAME = oid('551d11');

const VERSION_3 = der(0xa0, der(0x02, Buffer.from([2])));
const TRUE = der(0x01, Buffer.from([0xff]));
const SHA256_WITH_RSA = sequence(oid('2a864886f70d01010b'), der(0x05));

/** The year 9999 stands for no end (RFC 5280, 4.1.2.5). */
const VALIDITY = sequence(time(0x17, '200101000000Z'), time(0x18, '99991231235959Z'));

const extension = (...content: readonly Uint8Array[]): Buffer => {
  const value = content.at(-1) as Uint8Array;
  return sequence(...content.slice(0, -1), der(0x04, value));
};

/** Makes a certificate (RFC 5280) for a host that no authority has signed, and its key: RSA with 2,048 bits, as AWS has. */
export const selfSigned = (host: string): SelfSigned => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const hostName = Buffer.from(host);
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, hostName))));
  const extensions = sequence(
    extension(BASIC_CONSTRAINTS, TRUE, sequence(TRUE)),
    extension(SUBJECT_ALT_NAME, sequence(der(0x82, hostName))),
  );
  const unsigned = sequence(
    VERSION_3,
    der(0x02, Buffer.from([1]), randomBytes(8)),
    SHA256_WITH_RSA,
    name,
    VALIDITY,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', unsigned, privateKey));
  const certificate = sequence(unsigned, SHA256_WITH_RSA, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
};
