export default {
  client: {
    input: '../../../docs/openapi.json',
    output: {
      target: '../generated/orval/client.ts',
      schemas: '../generated/orval/model',
      client: 'fetch',
      override: { mutator: { path: './orval-fetch.ts', name: 'send' } },
    },
  },
};
