/** The staff send pictures to a member too: such an upload belongs to the member, and names who sent it. */
export const staffPictures = {
  id: 146,
  name: 'staff pictures',
  sql: `
ALTER TABLE upload ADD COLUMN sent_by text,
  ADD CONSTRAINT upload_sent_by CHECK (sent_by IS NULL OR purpose = 'service');
`,
} as const
