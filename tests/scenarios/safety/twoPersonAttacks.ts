import { everybody, newestFlush, post, type Row } from './attackParts.ts'

/** Withdrawals of 1500.00 under review, above the amount that one person approves; Ann and Ben are of finance. */
export type TwoPersonTargets = {
  /** Has a withdrawal account, no order, and 2820.00, of which 20.00 wait for a second person. */
  payee: string
  /** Nobody has proposed to approve it. */
  large: string
  /** Ann has proposed to approve it. */
  proposed: { id: string; proposal: string }
  /** Ann has proposed to approve it, with a lower amount. */
  lowered: { id: string; proposal: string }
  /** Two withdrawals of 600.00: together more than one person decides in 24 hours. */
  pieces: readonly [string, string]
  /** Deposits of the payee: 10.00 under review without proof, and 20.00 credited by Ann, who proposed to confirm it. */
  deposits: { unproven: string; awaiting: string; proposal: string }
  /** Ada, an admin, has proposed to set the amount to 10.00; Abe is an admin too. */
  limit: string
}

export const auditRow = (actor: string, act: string, kind: string, id: string): string =>
  `INSERT INTO audit (at, actor, act, subject_kind, subject_id) VALUES (1, '${actor}', '${act}', '${kind}', '${id}')`

/** As the calls write it: the row and its row of the act log. */
export const propose = (
  proposal: string,
  by: string,
  [act, kind, subject]: readonly [act: string, kind: string, subject: string],
  params: object,
): readonly [string, string] => [
  `INSERT INTO proposal (id, act, subject_kind, subject_id, params, proposed_by, proposed_at, expires_at)
    VALUES ('${proposal}', '${act}', '${kind}', '${subject}', '${JSON.stringify(params)}', '${by}', 1, 9000000000000)`,
  auditRow(by, 'propose', 'proposal', proposal),
]
export const confirm = (proposal: string, by: string): readonly [string, string] => [
  `UPDATE proposal SET status = 'confirmed', decided_by = '${by}', decided_at = 1 WHERE id = '${proposal}'`,
  auditRow(by, 'confirm', 'proposal', proposal),
]
export const approve = (withdrawal: string, by: string): readonly [string, string] => [
  `UPDATE withdrawal SET approved_at = 1, approved_by = '${by}', version = version + 1 WHERE id = '${withdrawal}'`,
  auditRow(by, 'approve', 'withdrawal', withdrawal),
]
export const setAmount = (above: string, by: string): readonly [string, string] => [
  `INSERT INTO setting VALUES ('withdrawal_four_eyes_above', '{"above":"${above}"}')
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  auditRow(by, 'limit', 'limit', 'withdrawals'),
]
export const confirmDeposit = (id: string, by: string): readonly [string, string] => [
  `UPDATE deposit SET awaits_second = false, confirmed_at = 1, confirmed_by = '${by}', version = version + 1
    WHERE id = '${id}'`,
  auditRow(by, 'approve', 'deposit', id),
]
/** Takes back what is there of a deposit of 20.00. */
const reverse = (id: string, member: string, by: string): readonly string[] => [
  `UPDATE deposit SET status = 'failed', awaits_second = false, reversed = 2000, reason = 'x', decided_at = 1,
    decided_by = '${by}', version = version + 1 WHERE id = '${id}'`,
  post({
    type: 'deposit_reversed',
    kind: 'deposit',
    ref: id,
    available: -2_000,
    external: 2_000,
    member,
  }),
  auditRow(by, 'reject', 'deposit', id),
]
/** As a member's call moves money to the fund. */
export const moveToFund = (member: string, amount: number): readonly string[] => [
  `INSERT INTO fund_account (member_id, pending, begun_on) VALUES ('${member}', ${amount}, '2020-01-01')
    ON CONFLICT (member_id) DO UPDATE SET pending = fund_account.pending + ${amount}`,
  post({
    type: 'fund_in',
    kind: 'fund_deposit',
    ref: 'forged',
    available: -amount,
    fund: amount,
    member,
  }),
  `INSERT INTO fund_record (id, member_id, kind, amount, status, at, on_day, made_on)
    VALUES ('forged', '${member}', 'deposit', ${amount}, 'pending_review', 1, '2020-01-01', '2020-01-01')`,
]
/** As a member's call asks for a withdrawal, in minor units. */
export const ask = (member: string, amount: number): readonly string[] => [
  post({
    type: 'withdrawal_hold',
    kind: 'withdrawal',
    ref: 'forged',
    available: -amount,
    held: amount,
    member,
  }),
  `INSERT INTO hold VALUES ('forged', '${member}', 'available', ${amount}, 'withdrawal', 'forged', 1)`,
  `INSERT INTO withdrawal (id, no, member_id, account_id, account_sealed, amount, hold_id, status, created_at)
    SELECT 'forged', 'forged', member_id, id, '', ${amount}, 'forged', 'under_review', 1 FROM withdrawal_account
    WHERE member_id = '${member}'`,
]
const approval = (id: string) => ['withdrawals.approve', 'withdrawal', id] as const

/** What one person may not do alone, whatever names a session writes. */
export const twoPersonAttacks = ({
  payee,
  large,
  proposed,
  lowered,
  pieces,
  deposits,
  limit,
}: TwoPersonTargets): readonly Row[] => [
  [
    'approve in pieces what is large together',
    everybody,
    ...approve(pieces[0], 'ben'),
    ...approve(pieces[1], 'ben'),
  ],
  [
    'approve in pieces as somebody who is not of the staff',
    everybody,
    ...approve(pieces[0], 'x1'),
    ...approve(pieces[1], 'x2'),
  ],
  [
    'credit a deposit without proof alone',
    everybody,
    `UPDATE deposit SET status = 'successful', decided_at = 1, decided_by = 'ben', version = version + 1
      WHERE id = '${deposits.unproven}'`,
    post({
      type: 'deposit',
      kind: 'deposit',
      ref: deposits.unproven,
      available: 1_000,
      external: -1_000,
      member: payee,
    }),
    auditRow('ben', 'approve', 'deposit', deposits.unproven),
  ],
  ['confirm alone a deposit that waits', everybody, ...confirmDeposit(deposits.awaiting, 'ben')],
  [
    'confirm as the one who credited a deposit',
    everybody,
    ...confirm(deposits.proposal, 'ann'),
    ...confirmDeposit(deposits.awaiting, 'ann'),
  ],
  ['withdraw a deposit that waits', everybody, ...ask(payee, 281_000)],
  ['move a deposit that waits to the fund', everybody, ...moveToFund(payee, 281_000)],
  ['take a deposit back alone', everybody, ...reverse(deposits.awaiting, payee, 'ben')],
  [
    'take a deposit back with the proposal to confirm it',
    everybody,
    ...confirm(deposits.proposal, 'ben'),
    ...reverse(deposits.awaiting, payee, 'ben'),
  ],
  [
    'propose at once to confirm a deposit and to take it back',
    everybody,
    ...propose('forged', 'ben', ['deposits.reject', 'deposit', deposits.awaiting], {
      amount: '20.00',
      reason: 'x',
    }),
  ],
  [
    'take a deposit back that was never asked for',
    everybody,
    `INSERT INTO deposit (id, no, member_id, method_id, amount, status, reason, created_at, created_on, decided_at,
        decided_by, reversed)
      VALUES ('forged', 'forged', '${payee}', 'practice', 2000, 'failed', 'x', 1, '', 1, 'ben', 2000)`,
    ...reverse('forged', payee, 'ben').slice(1),
  ],
  [
    'write what one person has decided',
    everybody,
    `INSERT INTO lone_decision VALUES ('x', 1, '${payee}', 'deposit', 'x', 1, 1)`,
  ],
  ['forget what one person has decided', everybody, `DELETE FROM lone_decision`],
  ['approve a large withdrawal alone', everybody, ...approve(large, 'ben')],
  [
    'pay a large withdrawal alone',
    everybody,
    `UPDATE withdrawal SET status = 'successful', ended_as = 'paid', decided_at = 1, decided_by = 'ben',
      version = version + 1 WHERE id = '${large}'`,
    `INSERT INTO hold_resolution SELECT hold_id, 'posted', 1 FROM withdrawal WHERE id = '${large}'`,
    post({
      type: 'withdrawal_paid',
      kind: 'withdrawal',
      ref: large,
      amount: 0,
      held: -150_000,
      external: 150_000,
      member: payee,
    }),
    auditRow('ben', 'approve', 'withdrawal', large),
  ],
  [
    'ask for a withdrawal that is approved',
    everybody,
    post({
      type: 'withdrawal_hold',
      kind: 'withdrawal',
      ref: 'forged',
      available: -100,
      held: 100,
      member: payee,
    }),
    `INSERT INTO hold VALUES ('forged', '${payee}', 'available', 100, 'withdrawal', 'forged', 1)`,
    `INSERT INTO withdrawal (id, no, member_id, account_id, account_sealed, amount, hold_id, status, created_at,
        approved_at, approved_by)
      SELECT 'forged', 'forged', member_id, id, '', 100, 'forged', 'under_review', 1, 1, 'ben' FROM withdrawal_account
      WHERE member_id = '${payee}'`,
    auditRow('ben', 'approve', 'withdrawal', 'forged'),
  ],
  [
    'approve as the one who proposed',
    everybody,
    ...confirm(proposed.proposal, 'ann'),
    ...approve(proposed.id, 'ann'),
  ],
  [
    'approve as another than who confirmed',
    everybody,
    ...confirm(proposed.proposal, 'ben'),
    ...approve(proposed.id, 'ann'),
  ],
  [
    'approve with the proposal of another request',
    everybody,
    ...confirm(proposed.proposal, 'ben'),
    ...approve(large, 'ben'),
  ],
  [
    'approve with a proposal of a lower amount',
    everybody,
    ...confirm(lowered.proposal, 'ben'),
    ...approve(lowered.id, 'ben'),
  ],
  [
    'lower a withdrawal, and approve it alone',
    everybody,
    `UPDATE withdrawal SET amount = 100, version = version + 1 WHERE id = '${large}'`,
    ...approve(large, 'ben'),
  ],
  [
    'approve with a proposal that is only made',
    everybody,
    ...propose('forged', 'ann', approval(large), { amount: '1500.00' }),
    ...approve(large, 'ben'),
  ],
  [
    'propose and confirm at once',
    everybody,
    ...propose('forged', 'ann', approval(large), { amount: '1500.00' }),
    ...confirm('forged', 'ben'),
    ...approve(large, 'ben'),
  ],
  [
    'propose and confirm at once',
    everybody,
    'SAVEPOINT s',
    ...propose('forged', 'ann', approval(large), { amount: '1500.00' }),
    'RELEASE s',
    ...confirm('forged', 'ben'),
    ...approve(large, 'ben'),
  ],
  [
    'write a proposal that is confirmed',
    everybody,
    `INSERT INTO proposal VALUES ('forged', 'withdrawals.approve', 'withdrawal', '${large}', NULL,
      '{"amount":"1500.00"}', 'ann', 1, 9000000000000, 'confirmed', 'ben', 1)`,
    auditRow('ann', 'propose', 'proposal', 'forged'),
    auditRow('ben', 'confirm', 'proposal', 'forged'),
    ...approve(large, 'ben'),
  ],
  [
    'approve as somebody who is not of the staff',
    everybody,
    ...confirm(proposed.proposal, 'nobody'),
    ...approve(proposed.id, 'nobody'),
  ],
  [
    'approve as one whose role does not',
    everybody,
    ...confirm(proposed.proposal, 'abe'),
    ...approve(proposed.id, 'abe'),
  ],
  [
    'propose as somebody who is not of the staff',
    everybody,
    ...propose('forged', 'nobody', approval(large), { amount: '1500.00' }),
  ],
  [
    'propose without a row of the act log',
    everybody,
    propose('forged', 'ann', approval(large), { amount: '1500.00' })[0],
  ],
  [
    'propose in the name of another than in the act log',
    everybody,
    propose('forged', 'ann', approval(large), { amount: '1500.00' })[0],
    auditRow('ben', 'propose', 'proposal', 'forged'),
  ],
  ['confirm without a row of the act log', everybody, confirm(proposed.proposal, 'ben')[0]],
  ['confirm as anybody but the back office', ['calls', 'engine'], ...confirm(proposed.proposal, 'ben')],
  [
    'end a proposal that is not over',
    everybody,
    `UPDATE proposal SET status = 'cancelled', decided_by = 'expired', decided_at = 1 WHERE id = '${proposed.proposal}'`,
  ],
  [
    'take the proposal of another person back',
    everybody,
    `UPDATE proposal SET status = 'cancelled', decided_by = 'ben', decided_at = 1 WHERE id = '${proposed.proposal}'`,
    auditRow('ben', 'cancel', 'proposal', proposed.proposal),
  ],
  ['raise the amount for two persons alone', everybody, ...setAmount('999999.00', 'abe')],
  [
    'raise the amount for two persons, approve, and lower it',
    everybody,
    ...setAmount('999999.00', 'abe'),
    ...approve(large, 'ben'),
    'SET CONSTRAINTS withdrawal_is_approved_by_two IMMEDIATE',
    `DELETE FROM setting WHERE key = 'withdrawal_four_eyes_above'`,
  ],
  [
    'set another amount for two persons than proposed',
    everybody,
    ...confirm(limit, 'abe'),
    ...setAmount('999999.00', 'abe'),
  ],
  [
    'set the amount for two persons as who proposed it',
    everybody,
    ...confirm(limit, 'ada'),
    ...setAmount('10.00', 'ada'),
  ],
  [
    'set the amount for two persons as finance',
    everybody,
    ...confirm(limit, 'ben'),
    ...setAmount('10.00', 'ben'),
  ],
  [
    'write what the operator has set',
    ['calls', 'office'],
    `INSERT INTO operator_setting SELECT key, ${newestFlush} + 1, '{"above":"999999.00","always":false}' FROM operator_setting
      WHERE key = 'four_eyes'`,
  ],
  [
    'write into the past what the operator has set',
    everybody,
    `INSERT INTO operator_setting SELECT key, since_at - 1, value FROM operator_setting`,
  ],
  ['change what the operator has set', everybody, `UPDATE operator_setting SET value = '{}'`],
  ['delete what the operator has set', everybody, `DELETE FROM operator_setting`],
  ['delete what the operator has set', everybody, `TRUNCATE operator_setting`],
]
