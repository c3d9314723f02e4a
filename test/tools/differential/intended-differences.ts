/**
 * The differences that a caller or DynamoDB may see between the two clients, by subject, and the reason of each. The test
 * reports any other difference. `test/lib/aws/differential.test.ts` fails if one of these no longer occurs.
 */
export const INTENDED_DIFFERENCES: Readonly<Record<string, string>> = {
  'header user-agent': 'the versions of the SDK and of Node, and the features in use, are statistics for AWS',
  'header x-amz-user-agent': 'the same statistics, for browsers',
  'header amz-sdk-invocation-id': 'it joins the attempts of a call in statistics of AWS',
  'header amz-sdk-request': 'the number of the attempt, for statistics of AWS',
  'header x-amz-content-sha256': 'S3 alone needs it: the signature has the hash of the body',
  '$metadata of other services': 'DynamoDB never sends `extendedRequestId` of S3 and `cfId` of CloudFront',
  'hint at the raw response': 'the SDK adds a sentence for developers to the message of a broken JSON',
};
