import type { ErrorCode } from './errors.ts'
import type { logRoutes } from './publicLog.ts'
import type { Route } from './route.ts'
import type { routes } from './routes.ts'

const allRoutes = ['RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'] as const satisfies readonly ErrorCode[]
const changes = ['CSRF', 'BODY_TOO_LARGE', 'MEDIA_TYPE', 'VALIDATION'] as const satisfies readonly ErrorCode[]
/** Of a change that the login password or a passkey confirms. */
const confirmedChanges = [
  'OLD_PASSWORD_WRONG',
  'LOCKED',
  'CHALLENGE_EXPIRED',
  'PASSKEY_INVALID',
  'PASSKEYS_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]
/** Of money that leaves, and of the account's end: the transaction password or a passkey confirms it. */
const confirmedTransactions = [
  'TRANSACTION_PASSWORD_WRONG',
  'TRANSACTION_PASSWORD_LOCKED',
  'CHALLENGE_EXPIRED',
  'PASSKEY_INVALID',
  'PASSKEYS_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]
const keyedCalls = [
  'IDEMPOTENCY_KEY_REQUIRED',
  'IDEMPOTENCY_IN_FLIGHT',
  'IDEMPOTENCY_MISMATCH',
] as const satisfies readonly ErrorCode[]

type RouteName = keyof typeof routes | keyof typeof logRoutes

/**
 * The error codes that a route returns besides those that follow from its kind ({@link kindErrorsOf}). Apart from the
 * routes, because the client does not need them. A route that is not listed here does not compile.
 */
export const ownErrors: Readonly<Record<RouteName, readonly ErrorCode[]>> = {
  time: [],
  config: [],
  status: [],
  registerCheck: ['OPENING_CODE_INVALID', 'ACCOUNT_TAKEN', 'PHONE_TAKEN'],
  register: ['REGISTER_TOKEN_EXPIRED', 'OPENING_CODE_INVALID', 'ACCOUNT_TAKEN', 'PHONE_TAKEN'],
  captcha: [],
  login: ['BAD_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'CAPTCHA_REQUIRED', 'CAPTCHA_WRONG', 'LOCKED'],
  logout: [],
  sessions: [],
  endSession: [],
  logins: [],
  denyLogin: [],
  requestPassword: [
    'PASSWORD_MISMATCH',
    'ALREADY_PENDING',
    'TRANSACTION_PASSWORD_LOCKED',
    'SECOND_FACTOR_WRONG',
    ...confirmedChanges,
  ],
  recoverPassword: [],
  completeRecovery: ['RECOVERY_CODE_INVALID', 'PASSWORD_MISMATCH'],
  secondFactors: [],
  beginPasskeyLogin: ['PASSKEYS_UNAVAILABLE'],
  passkeyLogin: ['CHALLENGE_EXPIRED', 'PASSKEY_INVALID', 'PASSKEYS_UNAVAILABLE'],
  secondFactorLogin: ['BAD_CREDENTIALS', 'CHALLENGE_EXPIRED', 'SECOND_FACTOR_WRONG', 'LOCKED'],
  passkeyChallenge: ['PASSKEYS_UNAVAILABLE'],
  beginPasskey: [...confirmedChanges],
  addPasskey: ['CHALLENGE_EXPIRED', 'PASSKEY_INVALID', 'PASSKEY_LIMIT', 'PASSKEYS_UNAVAILABLE'],
  renamePasskey: [],
  removePasskey: [...confirmedChanges],
  beginTotp: ['TOTP_ALREADY_ADDED', ...confirmedChanges],
  addTotp: ['TOTP_ALREADY_ADDED', 'CHALLENGE_EXPIRED', 'SECOND_FACTOR_WRONG'],
  removeTotp: ['NOT_FOUND', ...confirmedChanges],
  replaceRecoveryCodes: ['NOT_FOUND', ...confirmedChanges],
  me: [],
  patchMe: [...confirmedChanges],
  exportData: [],
  closeAccount: ['OPEN_ORDERS', 'REQUESTS_PENDING', 'BALANCE_LEFT', ...confirmedTransactions],
  assets: [],
  ledger: [],
  ledgerCsv: [],
  statements: [],
  statementCsv: ['NOT_FOUND'],
  statementPdf: ['NOT_FOUND', 'STATEMENT_TOO_LONG'],
  practiceReset: ['PRACTICE_ONLY', 'OPEN_ORDERS'],
  products: [],
  product: [],
  ticks: ['PRUNED', 'LOG_DAMAGED'],
  candles: ['LOG_DAMAGED'],
  recording: [],
  gaps: [],
  priceAlerts: [],
  createPriceAlert: ['NOT_FOUND', 'FEED_STALE', 'ALERT_REACHED', 'ALERT_LIMIT'],
  removePriceAlert: [],
  push: [],
  subscribePush: [],
  unsubscribePush: [],
  placeOrder: [
    'EXCLUDED',
    'SELF_LIMIT',
    'NOT_FOUND',
    'PRODUCT_MAINTENANCE',
    'PRODUCT_CLOSED',
    'FEED_STALE',
    'DURATION_UNKNOWN',
    'CROSSES_CLOSE',
    'INTENT_EXPIRED',
    'RATE_CHANGED',
    'INSUFFICIENT_BALANCE',
  ],
  orders: [],
  ordersCsv: [],
  order: [],
  orderByKey: ['IDEMPOTENCY_IN_FLIGHT'],
  orderProof: ['NOT_SETTLED', 'LOG_DAMAGED'],
  results: [],
  resultDays: [],
  depositMethods: [],
  placeDeposit: ['EXCLUDED', 'SELF_LIMIT', 'DEPOSIT_LIMIT'],
  deposits: [],
  withdrawalAccount: [],
  bindAccount: ['ALREADY_BOUND', ...confirmedTransactions],
  placeWithdrawal: [
    'NOT_BOUND',
    'NOT_VERIFIED',
    'WITHDRAWALS_REST',
    ...confirmedTransactions,
    'INSUFFICIENT_BALANCE',
  ],
  withdrawals: [],
  cancelWithdrawal: ['NOT_CANCELLABLE'],
  upload: ['FILE_TOO_LARGE', 'FILE_TYPE', 'UPLOAD_QUOTA', 'STORAGE_FULL'],
  viewUpload: [],
  verification: [],
  submitVerification: ['ALREADY_PENDING', 'ALREADY_VERIFIED'],
  limits: [],
  putLimits: [],
  fund: [],
  fundDeposit: ['INSUFFICIENT_BALANCE', 'FUND_TIMES_USED'],
  fundWithdraw: [...confirmedTransactions, 'FUND_TIMES_USED', 'FAST_CAP', 'INSUFFICIENT_SHARES'],
  fundLots: [],
  fundRecords: [],
  fundEarnings: [],
  fundRates: [],
  fundRules: [],
  news: [],
  newsItem: [],
  highlights: [],
  highlight: [],
  page: [],
  messages: [],
  messageMutes: [],
  putMessageMutes: [],
  readMessages: [],
  service: [],
  writeService: [],
  clientError: [],
  logCheckpoint: ['NOT_FOUND'],
  logTile: [],
}

/** The codes that follow from a route's kind: its method, whether it has parameters, a session, a key. */
export function kindErrorsOf(route: Route): readonly ErrorCode[] {
  return [
    ...allRoutes,
    ...(route.member ? (['UNAUTHENTICATED'] as const) : []),
    ...(route.method === 'GET' ? [] : changes),
    ...(route.query ? (['VALIDATION'] as const) : []),
    ...(route.params ? (['NOT_FOUND'] as const) : []),
    ...(route.keyed ? keyedCalls : []),
    ...(route.unlessFrozen ? (['ACCOUNT_FROZEN'] as const) : []),
  ]
}
