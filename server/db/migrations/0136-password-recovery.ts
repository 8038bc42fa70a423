/**
 * Requests by people who forgot a password. They are stored unread, and a job makes a request of those that name a member's
 * account and phone: so an answer depends on neither.
 */
export const passwordRecovery = {
  id: 136,
  name: 'password recovery',
  sql: `
ALTER TABLE password_request
  ADD COLUMN recovery boolean NOT NULL DEFAULT false,
  ALTER COLUMN session_id DROP NOT NULL,
  DROP CONSTRAINT password_request_decided,
  ADD CONSTRAINT password_request_decided CHECK ((status = 'under_review') = (decided_at IS NULL)
    AND (status = 'under_review' AND NOT recovery) = (new_hash IS NOT NULL)
    AND recovery = (session_id IS NULL) AND (status = 'failed') = (reason IS NOT NULL));
DROP INDEX password_request_open;
CREATE UNIQUE INDEX password_request_open ON password_request (member_id, kind, recovery)
  WHERE status = 'under_review';

CREATE TABLE password_recovery_inbox (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('login', 'transaction')),
  account text NOT NULL,
  phone_hash text NOT NULL,
  at bigint NOT NULL
);

-- The code of an approved request. It works once, until it expires.
CREATE TABLE password_recovery_code (
  request_id text PRIMARY KEY REFERENCES password_request (id),
  member_id text NOT NULL REFERENCES member (id),
  kind text NOT NULL CHECK (kind IN ('login', 'transaction')),
  code_hash text NOT NULL UNIQUE,
  expires_at bigint NOT NULL,
  used_at bigint
);
CREATE INDEX password_recovery_code_member ON password_recovery_code (member_id);
`,
} as const
