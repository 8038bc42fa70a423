/** Log-ins of members, for the member to see. */
export const loginHistory = {
  id: 137,
  name: 'login history',
  sql: `
CREATE TABLE login_event (
  id text PRIMARY KEY,
  member_id text NOT NULL REFERENCES member (id),
  at bigint NOT NULL,
  device text NOT NULL,
  network text NOT NULL CHECK (network IN ('local', 'ipv4', 'ipv6')),
  method text NOT NULL CHECK (method IN ('password', 'code', 'passkey')),
  result text NOT NULL CHECK (result IN ('succeeded', 'failed')),
  -- Whether this account was used on the device before.
  known boolean NOT NULL,
  denied_at bigint,
  CONSTRAINT login_event_denied CHECK (denied_at IS NULL OR result = 'succeeded')
);
CREATE INDEX login_event_newest ON login_event (member_id, at DESC, id DESC);
CREATE INDEX login_event_at ON login_event (at);
`,
} as const
