/** Closed orders are listed by when they were settled. */
export const ordersClosed = {
  id: 90,
  name: 'orders closed',
  sql: `
CREATE INDEX orders_closed ON orders (member_id, settled_at DESC, id DESC) WHERE settled_at IS NOT NULL;
`,
} as const
