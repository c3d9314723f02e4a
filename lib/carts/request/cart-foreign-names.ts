import { IDEMPOTENCY_FOREIGN_NAMES } from '../../idempotency/idempotency-key.ts';
import type { ForeignNames } from '../../requests/foreign-names.ts';
import { toNumber } from './stated-prices.ts';

/** The names of a create request in other APIs. A field without a name here is reported only if ignoring it loses something. */
export const CART_FOREIGN_NAMES: ForeignNames = {
  body: {
    aliases: {
      productDocumentId: 'product productid documentid productslug variantid sku',
      email: 'mail emailaddress customeremail buyeremail useremail',
      firstName: 'givenname forename customerfirstname',
      lastName: 'surname familyname customerlastname',
      phone: 'phonenumber telephone mobile customerphone',
      redirectURL: 'returnurl successurl redirect returnto successredirecturl',
      cancelURL: 'cancelredirecturl',
      meta: 'metadata customdata customfields',
      lang: 'locale language',
    },
    unsupported: [
      {
        names: 'quantity qty',
        reason: 'a cart is for one unit of one product',
        isHarmless: (value) => toNumber(value) === 1,
      },
      {
        names: 'lineitems items products cartitems',
        reason: 'a cart is for one unit of one product: send productDocumentId',
      },
      {
        names: 'customer customerinfo customerdetails customerdata buyer payer',
        reason: 'send email, firstName, lastName and phone',
      },
      {
        names: 'name fullname customername buyername',
        reason: 'send firstName and lastName',
        beside: 'firstName',
      },
      {
        names: 'cart checkout data',
        reason: 'send its fields at the top level',
        beside: 'productDocumentId',
      },
      {
        names: 'webhookurl webhook notifyurl notificationurl callbackurl ipnurl',
        reason: 'create a webhook endpoint',
      },
      {
        names: 'expiresat expiresin expiry expiration expirationtime expiresinseconds expiresafter ttl',
        reason: 'send expiresInMinutes',
        beside: 'expiresInMinutes',
      },
      { names: 'clientreferenceid referenceid externalreference merchantreference', reason: 'use meta' },
      {
        names: 'coupon couponcode discount discounts discountcode promocode',
        reason: 'carts have no discounts',
      },
    ],
  },
  headers: { aliases: { 'idempotency-key': IDEMPOTENCY_FOREIGN_NAMES } },
};
