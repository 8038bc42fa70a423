/** Every address of the app; those in the specification are spelled as there. */
export const paths = {
  welcome: '/',
  home: '/pages/index/index',
  products: '/pages/product/product',
  user: '/pages/user/user',
  product: '/pages/Detail/Detail',
  orders: '/pages/order/order',
  order: '/pages/order/detail',
  results: '/pages/results/results',
  login: '/pages/login/login',
  registerCheck: '/pages/login/registerCheck',
  register: '/pages/login/register',
  recover: '/pages/login/recover',
  settings: '/pages/set/set',
  password: '/pages/password/password',
  limits: '/pages/limits/limits',
  sessions: '/pages/sessions/sessions',
  security: '/pages/security/security',
  ownData: '/pages/own-data/own-data',
  fund: '/pages/money/money',
  fundRules: '/pages/money/detail',
  fundDetails: '/pages/Particulars/Particulars',
  transfer: '/pages/transfer/transfer',
  deposit: '/pages/deposit/deposit',
  deposits: '/pages/withdraw-list/withdraw-open',
  withdraw: '/pages/withdraw-money/withdraw-money',
  withdrawals: '/pages/withdraw-list/withdraw-list',
  account: '/pages/account/account',
  accountDetail: '/pages/account/account-detail',
  moneyRecord: '/pages/money-record/money-record',
  verify: '/pages/verify/verify',
  messages: '/pages/message/message',
  alerts: '/pages/alerts/alerts',
  service: '/pages/service/service',
  about: '/pages/aboutUs/aboutUs',
  check: '/pages/aboutUs/check',
  checkFile: '/check',
  status: '/status',
  privacy: '/pages/yinsi/yinsi',
  privacy2: '/pages/yinsi/gy',
  news: '/pages/news/news',
  highlights: '/pages/highlights/highlights',
  article: '/pages/index/detail',
} as const

/** The landing page has two addresses. */
export const welcomePaths: readonly string[] = [paths.welcome, '/pages/welcome/welcome']

const known: ReadonlySet<string> = new Set([...Object.values(paths), ...welcomePaths])

type Address<Path extends string> = Path extends `/${infer Rest}` ? Rest : never
type PageAddress = Address<(typeof paths)[keyof typeof paths]>
/** What a message leads to: a page of the app without the leading slash, with or without a query. */
export type PageLink = PageAddress | `${PageAddress}?${string}`

/** Whether an address (a path, with or without a query) is that of a page of the app. */
export const isPageAddress = (address: string): boolean => known.has(address.replace(/\?.*$/s, ''))
