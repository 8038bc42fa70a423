/** Where notifications of members are sent to, for as long as the device is logged in, and those that wait to be sent. */
export const push = {
  id: 166,
  name: 'push',
  sql: `
CREATE TABLE push_subscription (
  session_id text PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
  member_id text NOT NULL REFERENCES member (id),
  -- Of the address: a browser has one subscription, whoever is logged in.
  endpoint_hash text NOT NULL UNIQUE,
  -- Address and keys: whoever has them can send notifications to the device.
  subscription_sealed bytea NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX push_subscription_of_member ON push_subscription (member_id);
CREATE TRIGGER push_subscription_closed BEFORE INSERT ON push_subscription
  FOR EACH ROW EXECUTE FUNCTION refuse_closed('member_id');

CREATE TABLE push_delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id text NOT NULL REFERENCES push_subscription (session_id) ON DELETE CASCADE,
  payload jsonb NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  next_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX push_delivery_due ON push_delivery (next_at);
CREATE INDEX push_delivery_of_session ON push_delivery (session_id);
`,
} as const
