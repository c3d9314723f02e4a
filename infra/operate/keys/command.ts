import { Command } from 'commander';
import { issueCommand } from './issue.ts';
import { listCommand } from './list.ts';
import { revokeCommand } from './revoke.ts';
import { rotateCommand } from './rotate.ts';
import { setLimitCommand } from './set-limit.ts';

const HELP = `
The life of a key:
  npm run operate -- keys issue --store shop --label 'Web shop'
  npm run operate -- keys list --store shop
  npm run operate -- keys set-limit {keyId} --limit 600 --window 60
  npm run operate -- keys rotate {keyId} --overlap 24h
  npm run operate -- keys revoke {keyId}`;

/** `keys`: the API keys of stores. */
export const keysCommand = (): Command =>
  [issueCommand(), listCommand(), rotateCommand(), setLimitCommand(), revokeCommand()].reduce(
    (keys, command) => keys.addCommand(command),
    new Command('keys')
      .description("issue, list, rotate and revoke stores' API keys")
      .addHelpText('after', HELP),
  );
