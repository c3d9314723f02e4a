import { generate } from 'selfsigned';

interface SelfSigned {
  /** PEM. */
  readonly cert: string;
  /** PEM. It exists in this process only. */
  readonly key: string;
}

/** Makes a certificate for a host that no authority has signed, valid for a year, and its key: RSA with 2,048 bits, as AWS has. */
export const selfSigned = async (host: string): Promise<SelfSigned> => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: host }], {
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
    ],
  });
  return { cert, key };
};
