/**
 * The roles that a running venue works as: calls (requests and jobs of the main thread), engine (feeds, tick log,
 * settlement), office (calls of the office). None owns a table, so none can change one, or disable its triggers.
 */
export const runRoles = ['calls', 'engine', 'office'] as const
export type RunRole = (typeof runRoles)[number]

/** What a role may do with a table: r read, a add rows, u change rows, d delete rows. */
type Rights = '' | 'r' | 'ra' | 'ru' | 'rd' | 'rau' | 'rad' | 'rud' | 'raud'
type TableRights = readonly [calls: Rights, engine: Rights, office: Rights]

/**
 * Every table, and what each role may do with it. Triggers limit further what is added or changed. A new table needs a row
 * here: a test names those that have none.
 */
export const tableRights: Readonly<Record<string, TableRights>> = {
  // The market: written by the engine alone. The office puts products into maintenance.
  feed_product: ['r', 'ra', 'r'],
  feed_source: ['r', 'ra', 'r'],
  feed_gap: ['r', 'ra', 'r'],
  product_terms: ['r', 'ra', 'r'],
  operator_setting: ['r', 'ra', 'r'],
  product_state: ['rau', 'rau', 'rau'],
  tick_batch: ['r', 'ra', 'r'],
  tick_chunk: ['r', 'ra', 'r'],
  minute_row: ['r', 'rad', 'r'],
  bucket_hour: ['r', 'ra', 'r'],
  refund_tally: ['r', 'rau', 'r'],
  outcome_tally: ['r', 'rau', 'r'],
  log_cut: ['r', 'r', 'r'],
  cut_batch: ['r', 'r', 'r'],
  cut_chunk: ['r', 'r', 'r'],
  log_resume: ['r', 'r', 'r'],
  log_leaf: ['ra', '', 'r'],
  log_node: ['ra', '', 'r'],
  log_checkpoint: ['rau', '', 'r'],
  // Price alerts: created and removed by members, reached at the leader.
  price_alert: ['raud', '', 'r'],
  price_alert_progress: ['rau', '', 'r'],
  push_subscription: ['rad', '', 'r'],
  push_delivery: ['raud', '', 'r'],
  // Orders and money.
  orders: ['ra', 'ru', 'r'],
  result_outbox: ['rd', 'ra', 'r'],
  balance: ['rau', 'ru', 'ru'],
  posting: ['ra', 'ra', 'ra'],
  hold: ['ra', '', 'r'],
  hold_resolution: ['ra', '', 'ra'],
  deposit: ['ra', '', 'ru'],
  withdrawal: ['rau', '', 'ru'],
  withdrawal_account: ['rau', '', 'ru'],
  fund_account: ['rau', '', 'r'],
  fund_lot: ['rau', '', 'r'],
  fund_record: ['rau', '', 'r'],
  fund_earning: ['ra', '', 'r'],
  fund_rate: ['ra', '', 'r'],
  idempotency: ['rad', '', 'r'],
  // Members.
  member: ['rau', '', 'ru'],
  member_limit: ['raud', '', 'r'],
  member_freeze: ['r', '', 'rau'],
  session: ['raud', '', 'rd'],
  login_event: ['raud', '', 'r'],
  login_failure: ['raud', '', 'raud'],
  used_captcha: ['rad', '', 'r'],
  password_failure: ['raud', '', 'rd'],
  password_request: ['rau', '', 'ru'],
  password_recovery_inbox: ['rad', '', 'r'],
  password_recovery_code: ['raud', '', 'rau'],
  member_passkey: ['raud', '', 'rd'],
  member_totp: ['raud', '', 'rd'],
  member_recovery_code: ['raud', '', 'rd'],
  member_code_failure: ['raud', '', 'rd'],
  used_ticket: ['raud', '', 'rad'],
  upload: ['raud', '', 'raud'],
  verification: ['rau', '', 'ru'],
  sealed_index: ['rad', '', 'r'],
  kept_exclusion: ['raud', '', ''],
  erased_member: ['ra', '', 'r'],
  message: ['raud', '', 'ra'],
  message_mute: ['rad', '', 'r'],
  service_message: ['raud', '', 'rau'],
  member_note: ['rd', '', 'ra'],
  // The venue and its staff.
  opening_code: ['ru', '', 'rau'],
  article: ['rau', '', 'raud'],
  article_text: ['rau', '', 'raud'],
  content_version: ['ra', '', 'ra'],
  audit: ['ra', '', 'ra'],
  audit_link: ['r', '', 'r'],
  audit_head: ['r', '', 'r'],
  proposal: ['ru', '', 'rau'],
  proposal_note: ['rd', '', 'ra'],
  lone_decision: ['', '', 'r'],
  queue_claim: ['rd', '', 'raud'],
  staff: ['', '', 'rau'],
  staff_passkey: ['', '', 'raud'],
  staff_totp: ['', '', 'raud'],
  staff_recovery_code: ['', '', 'raud'],
  staff_code_failure: ['rd', '', 'raud'],
  staff_session: ['rd', '', 'raud'],
  setting: ['raud', 'rau', 'raud'],
  lease: ['r', 'r', 'r'],
  schema_version: ['r', 'r', 'r'],
}

/** Functions that act with the owner's rights: who may call them. The database allows them to no other role. */
export const functionRights: Readonly<Record<string, readonly RunRole[]>> = {
  'compact_flushes(bigint)': ['engine'],
  'prune_chunks(integer, bigint[])': ['engine'],
  'held_term(bigint)': runRoles,
  // Of triggers.
  'link_audit()': [],
  'audit_is_next()': [],
  'audit_is_not_of_staff()': [],
  'withdrawal_is_approved_by_two()': [],
  'withdrawal_is_paid_by_two()': [],
  'withdrawal_is_refused_by_two()': [],
  'deposit_is_confirmed_by_two()': [],
}
