/** The business day that a transfer was made on, or earnings were credited on; null where it was not kept yet. */
export const fundMadeOn = {
  id: 63,
  name: 'fund made on',
  sql: `
ALTER TABLE fund_lot ADD COLUMN made_on text;
ALTER TABLE fund_record ADD COLUMN made_on text;
`,
} as const
