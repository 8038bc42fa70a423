/** Passkeys, authenticator apps, recovery codes and wrong codes of the staff, in the form that members have them. */
export const staffFactors = {
  id: 144,
  name: 'staff factors',
  sql: `
CREATE TABLE staff_passkey (
  id text PRIMARY KEY,
  owner_id text NOT NULL REFERENCES staff (id),
  credential_id text NOT NULL CONSTRAINT staff_passkey_credential UNIQUE,
  public_key bytea NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  transports jsonb NOT NULL,
  name text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX staff_passkey_owner ON staff_passkey (owner_id);
CREATE TABLE staff_totp (
  owner_id text PRIMARY KEY REFERENCES staff (id),
  secret_sealed bytea NOT NULL,
  last_step bigint NOT NULL,
  created_at bigint NOT NULL
);
CREATE TABLE staff_recovery_code (
  owner_id text NOT NULL REFERENCES staff (id),
  code_hash text NOT NULL,
  used_at bigint,
  PRIMARY KEY (owner_id, code_hash)
);
CREATE TABLE staff_code_failure (
  owner_id text PRIMARY KEY REFERENCES staff (id),
  failures integer NOT NULL CHECK (failures >= 0),
  at bigint NOT NULL
);
`,
} as const
