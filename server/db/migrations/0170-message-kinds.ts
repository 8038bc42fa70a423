/**
 * Messages by kind: what a member has muted, and indexes for lists without the results of orders and for the results of
 * an hour.
 */
export const messageKinds = {
  id: 170,
  name: 'message kinds',
  sql: `
CREATE TABLE message_mute (
  member_id text NOT NULL REFERENCES member (id),
  category text NOT NULL CHECK (category IN ('trade', 'money', 'fund', 'notice')),
  PRIMARY KEY (member_id, category)
);
CREATE TRIGGER message_mute_closed BEFORE INSERT ON message_mute
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');
CREATE INDEX message_results ON message (member_id, at DESC) WHERE category = 'trade';
CREATE INDEX message_others ON message (member_id, at DESC, id DESC) WHERE category <> 'trade';
`,
} as const
