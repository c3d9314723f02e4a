import { command, define, type Group } from '../command.ts';

export const SET_UP_CANARY = define({
  summary: 'give the canary its product and a new key, which replaces its old one',
  stage: 'deployed',
  audits: 'keyId oldKeyId',
  json: 'stage keyId',
  example: 'canary setup --stage prod',
  notes:
    'Run it after the first deployment, and again to rotate the key. Nobody sees the key: the canary reads it from its table.',
});

export const canary: Group = {
  summary: "set up a stage's canary, which checks the stage every minute",
  commands: { setup: command(SET_UP_CANARY, () => import('./setup.ts')) },
};
