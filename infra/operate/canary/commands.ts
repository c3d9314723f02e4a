import { define } from '../frame/command.ts';

export const CANARY = {
  setup: define({
    summary: 'give the canary its product and a new key, which replaces its old one',
    stage: 'deployed',
    audits: 'keyId oldKeyId',
    json: 'stage keyId',
    example: 'canary setup --stage prod',
    notes:
      'Run it after the first deployment, and again to rotate the key. Nobody sees the key: the canary reads it from its table.',
  }),
};
