import { everybody, type Row } from './attackParts.ts'
import { approve, auditRow, confirm } from './twoPersonAttacks.ts'

export type PersonTargets = {
  member: string
  /** Has a withdrawal account. */
  payee: string
  /** Fay has proposed to approve it, and is disabled since; Ben is of finance too. */
  orphaned: { id: string; proposal: string }
}

const request = (member: string, id: string, change = ''): string =>
  `INSERT INTO password_request (id, member_id, kind, recovery, status, created_at${change && ', decided_at, decided_by'})
    VALUES ('${id}', '${member}', 'login', true, '${change || 'under_review'}', 1${change && `, 1, 'ben'`})`
const succeed = (id: string): string =>
  `UPDATE password_request SET status = 'successful', decided_at = 1, decided_by = 'ben', version = version + 1 WHERE id = '${id}'`
const code = (member: string, id: string): string =>
  `INSERT INTO password_recovery_code VALUES ('${id}', '${member}', 'login', 'forged', 9000000000000, NULL)`
const use = `UPDATE password_recovery_code SET used_at = 1 WHERE code_hash = 'forged'`
const setPassword = (member: string): string =>
  `UPDATE member SET password_hash = 'forged' WHERE id = '${member}'`
const own = (member: string): string =>
  `INSERT INTO password_request (id, member_id, session_id, kind, new_hash, proven_by, status, created_at)
    VALUES ('forged', '${member}', 'none', 'login', 'forged', 'password', 'under_review', 1)`
const succeedOwn = `UPDATE password_request SET status = 'successful', new_hash = NULL, decided_at = 1, decided_by = 'member',
    version = version + 1 WHERE id = 'forged'`
const submission = (member: string, status: 'under_review' | 'verified'): readonly string[] => [
  `INSERT INTO upload (id, member_id, purpose, type, bytes, created_at) VALUES ('forged', '${member}', 'id_front', 'image/jpeg', 1, 1)`,
  `INSERT INTO verification (id, member_id, status, nationality, person_sealed, front_upload_id, back_upload_id,
      submitted_at, decided_at, decided_by, version)
    VALUES ('forged', '${member}', '${status}', 'CN', '', 'forged', 'forged', 1, ${status === 'verified' ? `1, 'ben'` : 'NULL, NULL'}, 1)`,
]
const freeze = (member: string, id = 'forged'): string =>
  `INSERT INTO member_freeze VALUES ('${id}', '${member}', 'death', true, 1, 1209600001, 0, NULL, NULL)`

/** What the office decides, or two of its persons, whatever names a session writes. */
export const personAttacks = ({ member, payee, orphaned }: PersonTargets): readonly Row[] => [
  [
    'approve what somebody proposed who is disabled',
    everybody,
    ...confirm(orphaned.proposal, 'ben'),
    ...approve(orphaned.id, 'ben'),
  ],
  [
    'set a password with a code that nobody issued',
    everybody,
    request(member, 'forged'),
    code(member, 'forged'),
    use,
    setPassword(member),
  ],
  [
    'approve a password and use its code',
    everybody,
    request(member, 'forged'),
    succeed('forged'),
    code(member, 'forged'),
    use,
    setPassword(member),
  ],
  [
    'approve a password alone',
    everybody,
    request(member, 'forged'),
    succeed('forged'),
    auditRow('ben', 'approve', 'password-request', 'forged'),
    code(member, 'forged'),
  ],
  [
    'ask for a password that is approved',
    everybody,
    request(member, 'forged', 'successful'),
    code(member, 'forged'),
  ],
  ['approve an own password', everybody, own(member), succeedOwn, setPassword(member)],
  [
    'unbind a withdrawal account alone',
    everybody,
    `UPDATE withdrawal_account SET unbound_at = 1, unbound_by = 'ben' WHERE member_id = '${payee}'`,
    `UPDATE member SET withdrawal_account_bound = false WHERE id = '${payee}'`,
    `INSERT INTO audit (at, actor, act, subject_kind, subject_id)
      SELECT 1, 'ben', 'unbind', 'withdrawal-account', id FROM withdrawal_account WHERE member_id = '${payee}'`,
  ],
  ['freeze an account alone', everybody, freeze(member), auditRow('ben', 'freeze', 'freeze', 'forged')],
  ['verify a name without a row of the act log', everybody, ...submission(member, 'verified')],
  [
    'verify a name without a row of the act log',
    everybody,
    ...submission(member, 'under_review'),
    `UPDATE verification SET status = 'verified', decided_at = 1, decided_by = 'ben', version = version + 1 WHERE id = 'forged'`,
  ],
  [
    'verify a name as anybody but the back office',
    ['calls', 'engine'],
    ...submission(member, 'verified'),
    auditRow('x', 'approve', 'verification', 'forged'),
  ],
  [
    'verify a member as anybody but the back office',
    ['calls', 'engine'],
    `UPDATE member SET verification = 'none'`,
    `UPDATE member SET verification = 'verified'`,
  ],
  ['sign the act log as one of the staff', ['calls', 'engine'], auditRow('ben', 'view', 'member', member)],
]
