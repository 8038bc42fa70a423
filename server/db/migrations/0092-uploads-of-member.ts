/** What a member's pictures take on the disk is added up before each upload. */
export const uploadsOfMember = {
  id: 92,
  name: 'uploads of member',
  sql: `
CREATE INDEX upload_of_member ON upload (member_id) WHERE removed_at IS NULL;
`,
} as const
