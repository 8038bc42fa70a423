/**
 * Members and their sessions. Secrets are stored as hashes; a phone as a keyed hash, a mask and a sealed text; a contact
 * address sealed.
 */
export const members = {
  id: 10,
  name: 'members',
  sql: `
CREATE TABLE member (
  id text PRIMARY KEY,
  account text NOT NULL,
  phone_hash text NOT NULL CONSTRAINT member_phone_unique UNIQUE,
  phone_masked text NOT NULL,
  phone_sealed bytea NOT NULL,
  password_hash text NOT NULL,
  transaction_password_hash text NOT NULL,
  nickname text NOT NULL,
  contact_email_sealed bytea,
  level integer NOT NULL DEFAULT 1 CHECK (level BETWEEN 1 AND 5),
  credit_score integer NOT NULL DEFAULT 100,
  verification text NOT NULL DEFAULT 'none'
    CHECK (verification IN ('none', 'under_review', 'verified', 'rejected')),
  withdrawal_account_bound boolean NOT NULL DEFAULT false,
  opening_code text NOT NULL CONSTRAINT member_opening_code_unique UNIQUE,
  opened_with text NOT NULL,
  created_at bigint NOT NULL
);
CREATE UNIQUE INDEX member_account_unique ON member (lower(account));

CREATE TABLE session (
  id text PRIMARY KEY,
  member_id text NOT NULL REFERENCES member (id),
  sid_hash text NOT NULL UNIQUE,
  csrf_hash text NOT NULL,
  device text NOT NULL,
  ip text NOT NULL,
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL
);
CREATE INDEX session_member ON session (member_id);
CREATE INDEX session_last_seen ON session (last_seen_at);
`,
} as const
