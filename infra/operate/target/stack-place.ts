/** The region and the account of a stack, by its ARN: `arn:PARTITION:cloudformation:REGION:ACCOUNT:stack/NAME/ID`. */
export const placeOf = (stackId = ''): string | undefined => {
  const [, , , region, account] = stackId.split(':');
  return account === undefined ? undefined : `${region}, account ${account}`;
};
