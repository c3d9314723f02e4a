import { define } from '../frame/command.ts';
import { required } from '../frame/parameter.ts';
import { TEXT } from '../frame/value-types.ts';
import { MERCHANTS_STORE_ID } from '../shared/store-values.ts';

export const STORES = {
  put: define({
    summary: 'add a store with its name, or rename it',
    arguments: { id: required(MERCHANTS_STORE_ID, 'the id of the store, as in its keys') },
    options: { name: required(TEXT, 'the name that buyers and merchants see') },
    audits: 'storeId',
    json: 'id name createdAt',
    example: "stores put shop --name 'The Shop'",
    notes: 'Pages, events and messages show the name. To rename a store, run the command again.',
  }),
  list: define({
    summary: 'list stores with their names; reads the whole table',
    json: 'stores(id name createdAt)',
    example: 'stores list --stage prod',
  }),
};
