import { paths } from '../../src/paths.ts'

/** One page to visit. Stops follow each other without a reload, as for a member. */
export type Stop = {
  /** Short and unique: names the screenshot and selects it (`--routes`). */
  name: string
  href: string
  /** Shown only to guests; all other stops are visited as a member. */
  guest?: true
  /** Looked at while it tells how an order ended beside one that runs: see `endOrderBeside`. */
  orderEnds?: true
}

const stopOfEndedOrder = 'product-order-ended'

/** A product whose orders settle by rule R2, and two orders of it. */
export type AveragedIds = { product: string; openOrder: string; closedOrder: string }

/** Ids that stops need: of the member, or published. */
export type StopIds = {
  openOrder: string
  closedOrder: string
  averaged?: AveragedIds | undefined
  deposit: string
  withdrawal: string
  news: string
  highlight: string
}

const products = { open: 'BTCUSDT', other: 'EURUSD', futures: 'IF' }

/** Every path of the app with the states that its query selects. A new path does not compile until it is here. */
const queries = (ids: StopIds): Record<keyof typeof paths, Record<string, string>> => ({
  welcome: { welcome: '' },
  login: { login: '' },
  registerCheck: { 'register-1': '' },
  register: { 'register-2': '' },
  recover: {
    recover: '',
    'recover-login': '?code=unknown&kind=login',
    'recover-transaction': '?code=unknown&kind=transaction',
  },
  home: { home: '' },
  products: { products: '', 'products-found': '?q=eur', 'products-none': '?q=nothing%20at%20all' },
  product: {
    product: `?id=${products.open}`,
    'product-forex': `?id=${products.other}`,
    'product-futures': `?id=${products.futures}`,
    [stopOfEndedOrder]: `?id=${products.open}`,
    'product-unknown': '?id=NOWHERE',
    ...(ids.averaged && { 'product-averaged': `?id=${ids.averaged.product}` }),
  },
  orders: {
    'orders-records': '?tab=records',
    'orders-positions': '?tab=positions',
    'orders-closed': '?tab=closed',
    'orders-none': '?tab=closed&result=refunded',
  },
  order: {
    'order-open': `?id=${ids.openOrder}`,
    'order-closed': `?id=${ids.closedOrder}`,
    ...(ids.averaged && {
      'order-averaged-open': `?id=${ids.averaged.openOrder}`,
      'order-averaged-closed': `?id=${ids.averaged.closedOrder}`,
    }),
  },
  results: { results: '', 'results-by-month': '?by=month' },
  user: { user: '' },
  settings: { settings: '' },
  password: { 'password-login': '?kind=login', 'password-transaction': '?kind=transaction' },
  limits: { limits: '' },
  sessions: { sessions: '' },
  security: { security: '' },
  ownData: { 'own-data': '' },
  fund: { fund: '' },
  fundRules: { 'fund-rules': '' },
  fundDetails: {
    'fund-records': '?tab=records',
    'fund-earnings': '?tab=earnings',
    'fund-lots': '?tab=lots',
  },
  transfer: { 'transfer-in': '?direction=in', 'transfer-out': '?direction=out' },
  deposit: { deposit: '' },
  deposits: { deposits: '', 'deposits-one': `?id=${ids.deposit}` },
  withdraw: { withdraw: '' },
  withdrawals: { withdrawals: '', 'withdrawals-one': `?id=${ids.withdrawal}` },
  account: { account: '' },
  accountDetail: { 'account-detail': '' },
  moneyRecord: { 'money-record': '', 'money-record-statements': '?sheet=statements' },
  verify: { verify: '' },
  messages: { messages: '' },
  alerts: { alerts: '' },
  service: { service: '' },
  about: { about: '' },
  check: { check: '', 'check-rules': '?text=rules' },
  checkFile: { 'check-file': '' },
  status: { status: '' },
  privacy: { privacy: '' },
  privacy2: { 'privacy-2': '' },
  news: { news: '' },
  highlights: { highlights: '' },
  article: { 'article-news': `?id=${ids.news}`, 'article-highlight': `?id=${ids.highlight}&kind=highlight` },
})

const guestPaths = new Set<string>([
  paths.welcome,
  paths.login,
  paths.registerCheck,
  paths.register,
  paths.recover,
])

/** All stops: every path of the app, and a path that does not exist. */
export function stops(ids: StopIds): Stop[] {
  const table = Object.entries(queries(ids)) as [keyof typeof paths, Record<string, string>][]
  const known = table.flatMap(([key, states]) =>
    Object.entries(states).map(([name, query]): Stop => ({
      name,
      href: `/#${paths[key]}${query}`,
      ...(guestPaths.has(paths[key]) ? { guest: true } : {}),
      ...(name === stopOfEndedOrder ? { orderEnds: true } : {}),
    })),
  )
  return [...known, { name: 'not-found', href: '/#/nowhere/at/all' }]
}
