/** A product file for the demo stores of the local stage: a fixed price, free pricing, and a product not yet on sale. */
export const EXAMPLE_CSV = `id,store,name,currency,price,minimum,suggested,available
example-course,demo-store-one,Course,EUR,19.99,,,
example-gift,demo-store-one,"Gift, any amount",EUR,free,1,5,
example-poster,demo-store-two,Poster,JPY,1500,,,false
`;
