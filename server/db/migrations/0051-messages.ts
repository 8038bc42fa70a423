/** What the venue tells a member, and the thread of a member with customer service, whose words are sealed. */
export const messages = {
  id: 51,
  name: 'messages',
  sql: `
CREATE TABLE message (
  id text PRIMARY KEY,
  no bigint GENERATED ALWAYS AS IDENTITY,
  member_id text NOT NULL REFERENCES member (id),
  category text NOT NULL CHECK (category IN ('trade', 'money', 'fund', 'account', 'notice')),
  key text NOT NULL,
  params jsonb NOT NULL,
  title text,
  body text,
  lang text,
  link text,
  at bigint NOT NULL,
  read_at bigint,
  CONSTRAINT message_text CHECK ((key = 'desk') = (title IS NOT NULL AND body IS NOT NULL AND lang IS NOT NULL))
);
CREATE INDEX message_of_member ON message (member_id, no DESC);
CREATE INDEX message_unread ON message (member_id) WHERE read_at IS NULL;
CREATE INDEX message_at ON message (at);

CREATE TABLE service_message (
  id text PRIMARY KEY,
  no bigint GENERATED ALWAYS AS IDENTITY,
  member_id text NOT NULL REFERENCES member (id),
  sender text NOT NULL CHECK (sender IN ('member', 'desk')),
  body_sealed bytea NOT NULL,
  upload_id text,
  at bigint NOT NULL,
  -- When the other side has seen it.
  read_at bigint
);
CREATE INDEX service_message_of_member ON service_message (member_id, no DESC);
CREATE INDEX service_message_unread ON service_message (no) WHERE sender = 'member' AND read_at IS NULL;
CREATE TRIGGER service_message_stays BEFORE DELETE ON service_message
  FOR EACH ROW EXECUTE FUNCTION deny_change();
`,
} as const
