/** Orders written without naming a source, by scripts that knew no sources, get the one that migration 75 gave to such. */
export const orderSource = {
  id: 91,
  name: 'order source',
  sql: `
ALTER TABLE orders ALTER COLUMN source SET DEFAULT 'unknown';
`,
} as const
