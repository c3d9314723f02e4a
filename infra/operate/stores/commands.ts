import { command, define, type Group, required } from '../command.ts';
import { MERCHANTS_STORE_ID, TEXT } from '../value-types.ts';

export const PUT_STORE = define({
  summary: 'store a store with its name, or rename it',
  arguments: { id: required(MERCHANTS_STORE_ID, "the store's id, as its keys have it") },
  options: { name: required(TEXT, 'the name that buyers and merchants see') },
  audits: 'storeId',
  json: 'id name createdAt',
  example: "stores put shop --name 'The Shop'",
  notes: 'Pages, events and messages show the name. To rename a store, run the command again.',
});

export const LIST_STORES = define({
  summary: 'list stores with their names; reads the whole table',
  json: 'stores(id name createdAt)',
  example: 'stores list --stage prod',
});

export const stores: Group = {
  summary: 'name and list stores',
  commands: {
    put: command(PUT_STORE, () => import('./put.ts')),
    list: command(LIST_STORES, () => import('./list.ts')),
  },
};
