/** The other items in the tables of carts: the claim of a payment, the reports about a cart, and its limit of actions. */
const OTHER_ITEMS = ['payment', 'reports', 'actions'] as const;

type OtherItem = (typeof OTHER_ITEMS)[number];

const PREFIX = new RegExp(`^(?:${OTHER_ITEMS.join('|')})#`);

/** The id of another item. Cart ids are UUIDs, so no cart has the same id. */
export const otherItemId = (kind: OtherItem, id: string): string => `${kind}#${id}`;

/** Whether an id is that of another item than a cart. */
export const isOtherItemId = (id: string): boolean => PREFIX.test(id);

/** An id without the prefix of another item. */
export const withoutItemPrefix = (id: string): string => id.replace(PREFIX, '');

/** The condition that an item is a cart. The other items have no store. */
export const IS_CART = 'attribute_exists(storeId)';
