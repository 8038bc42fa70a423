/** The product table with its lines of the last day. */
export const productsQuery = { spark: 'true' } as const
