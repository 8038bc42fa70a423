import type { Pack } from './i18n.ts'
import { earlyPage, lazyPage } from './shell/lazyPage.ts'
import type { LazyPage } from './shell/lazyPage.ts'
import { paths, welcomePaths } from './paths.ts'

export type TabId = 'home' | 'products' | 'fund' | 'user'
export type RouteTitle = keyof Pack['title']

export type PageRoute = {
  page: LazyPage
  /** Left out where the app's own name will do. */
  title?: RouteTitle
  /** Needs a member; others are led to log in and back. */
  member?: true
  /** For guests only: a member is led on to the home page. */
  guest?: true
  /** The tab that the page belongs to; `root` is the tab's own page, which wears the tab bar. */
  tab?: TabId
  root?: true
  /** Cards on canvas: drawn behind the page while it is on its way. */
  money?: true
}

const welcome: PageRoute = {
  page: earlyPage(() => import('./pages/welcome/Welcome.tsx').then((m) => m.Welcome)),
  title: 'welcome',
  guest: true,
}

/** Every part of the interface in every state; not in a build. */
const gallery: Record<string, PageRoute> = import.meta.env.DEV
  ? {
      '/dev/gallery': { page: lazyPage(() => import('./pages/dev/Gallery.tsx').then((m) => m.Gallery)) },
    }
  : {}

export const routes: Readonly<Record<string, PageRoute>> = {
  ...Object.fromEntries(welcomePaths.map((path) => [path, welcome])),
  [paths.login]: {
    page: earlyPage(() => import('./pages/login/Login.tsx').then((m) => m.Login)),
    title: 'login',
    guest: true,
  },
  [paths.registerCheck]: {
    page: earlyPage(() => import('./pages/login/RegisterCheck.tsx').then((m) => m.RegisterCheck)),
    title: 'register',
    guest: true,
  },
  [paths.register]: {
    page: earlyPage(() => import('./pages/login/Register.tsx').then((m) => m.Register)),
    title: 'register',
    guest: true,
  },
  [paths.home]: {
    page: lazyPage(() => import('./pages/home/Home.tsx').then((m) => m.Home)),
    title: 'home',
    member: true,
    money: true,
    tab: 'home',
    root: true,
  },
  [paths.products]: {
    page: lazyPage(() => import('./pages/products/Products.tsx').then((m) => m.Products)),
    title: 'products',
    tab: 'products',
    root: true,
  },
  [paths.product]: {
    page: lazyPage(() => import('./pages/product/Product.tsx').then((m) => m.Product)),
    title: 'product',
    tab: 'products',
  },
  [paths.orders]: {
    page: lazyPage(() => import('./pages/order/Orders.tsx').then((m) => m.Orders)),
    title: 'orders',
    member: true,
    tab: 'home',
  },
  [paths.order]: {
    page: lazyPage(() => import('./pages/order/OrderPage.tsx').then((m) => m.OrderPage)),
    title: 'order',
    member: true,
    tab: 'home',
  },
  [paths.fund]: {
    page: lazyPage(() => import('./pages/fund/Fund.tsx').then((m) => m.Fund)),
    title: 'fund',
    member: true,
    money: true,
    tab: 'fund',
    root: true,
  },
  [paths.fundDetails]: {
    page: lazyPage(() => import('./pages/fund/FundDetails.tsx').then((m) => m.FundDetails)),
    title: 'fundDetails',
    member: true,
    money: true,
    tab: 'fund',
  },
  [paths.fundRules]: {
    page: lazyPage(() => import('./pages/fund/FundRules.tsx').then((m) => m.FundRules)),
    title: 'fundRules',
    member: true,
    money: true,
    tab: 'fund',
  },
  [paths.transfer]: {
    page: lazyPage(() => import('./pages/fund/Transfer.tsx').then((m) => m.Transfer)),
    title: 'transfer',
    member: true,
    tab: 'fund',
  },
  [paths.user]: {
    page: lazyPage(() => import('./pages/user/Account.tsx').then((m) => m.Account)),
    title: 'account',
    member: true,
    money: true,
    tab: 'user',
    root: true,
  },
  [paths.deposit]: {
    page: lazyPage(() => import('./pages/wallet/Deposit.tsx').then((m) => m.Deposit)),
    title: 'deposit',
    member: true,
    tab: 'user',
  },
  [paths.deposits]: {
    page: lazyPage(() => import('./pages/wallet/Deposits.tsx').then((m) => m.Deposits)),
    title: 'deposits',
    member: true,
    tab: 'user',
  },
  [paths.withdraw]: {
    page: lazyPage(() => import('./pages/wallet/Withdraw.tsx').then((m) => m.Withdraw)),
    title: 'withdraw',
    member: true,
    tab: 'user',
  },
  [paths.withdrawals]: {
    page: lazyPage(() => import('./pages/wallet/Withdrawals.tsx').then((m) => m.Withdrawals)),
    title: 'withdrawals',
    member: true,
    tab: 'user',
  },
  [paths.account]: {
    page: lazyPage(() => import('./pages/wallet/Account.tsx').then((m) => m.Account)),
    title: 'withdrawalAccount',
    member: true,
    money: true,
    tab: 'user',
  },
  [paths.accountDetail]: {
    page: lazyPage(() => import('./pages/wallet/AccountDetail.tsx').then((m) => m.AccountDetail)),
    title: 'withdrawalAccountDetail',
    member: true,
    tab: 'user',
  },
  [paths.moneyRecord]: {
    page: lazyPage(() => import('./pages/wallet/MoneyRecord.tsx').then((m) => m.MoneyRecord)),
    title: 'moneyRecord',
    member: true,
    tab: 'user',
  },
  [paths.verify]: {
    page: lazyPage(() => import('./pages/verify/Verify.tsx').then((m) => m.Verify)),
    title: 'verify',
    member: true,
    tab: 'user',
  },
  [paths.password]: {
    page: lazyPage(() => import('./pages/password/Password.tsx').then((m) => m.Password)),
    title: 'password',
    member: true,
    tab: 'user',
  },
  [paths.limits]: {
    page: lazyPage(() => import('./pages/limits/LimitsPage.tsx').then((m) => m.LimitsPage)),
    title: 'limits',
    member: true,
    money: true,
    tab: 'user',
  },
  [paths.sessions]: {
    page: lazyPage(() => import('./pages/sessions/Sessions.tsx').then((m) => m.Sessions)),
    title: 'sessions',
    member: true,
    money: true,
    tab: 'user',
  },
  ...gallery,
  [paths.settings]: {
    page: lazyPage(() => import('./pages/user/Settings.tsx').then((m) => m.Settings)),
    title: 'settings',
    money: true,
    tab: 'user',
  },
  [paths.messages]: {
    page: lazyPage(() => import('./pages/message/Messages.tsx').then((m) => m.Messages)),
    title: 'messages',
    member: true,
    tab: 'home',
  },
  [paths.service]: {
    page: lazyPage(() => import('./pages/service/Service.tsx').then((m) => m.Service)),
    title: 'service',
    member: true,
    tab: 'home',
  },
  [paths.about]: {
    page: lazyPage(() => import('./pages/content/Standing.tsx').then((m) => m.About)),
    title: 'about',
    tab: 'home',
  },
  [paths.check]: {
    page: lazyPage(() => import('./pages/check/Check.tsx').then((m) => m.Check)),
    title: 'check',
    tab: 'home',
  },
  [paths.privacy]: {
    page: lazyPage(() => import('./pages/content/Standing.tsx').then((m) => m.Privacy)),
    title: 'privacy',
    tab: 'home',
  },
  [paths.privacy2]: {
    page: lazyPage(() => import('./pages/content/Standing.tsx').then((m) => m.Privacy2)),
    title: 'privacy2',
    tab: 'home',
  },
  [paths.news]: {
    page: lazyPage(() => import('./pages/content/Articles.tsx').then((m) => m.News)),
    title: 'news',
    tab: 'home',
  },
  [paths.highlights]: {
    page: lazyPage(() => import('./pages/content/Articles.tsx').then((m) => m.Highlights)),
    title: 'highlights',
    tab: 'home',
    money: true,
  },
  [paths.article]: {
    page: lazyPage(() => import('./pages/content/Detail.tsx').then((m) => m.Detail)),
    title: 'article',
    tab: 'home',
  },
}

export const notFound: PageRoute = {
  page: earlyPage(() => import('./pages/notFound/NotFound.tsx').then((m) => m.NotFound)),
  title: 'notFound',
}

/** The route of a path; letters count as written. */
export const routeOf = (path: string): PageRoute => (Object.hasOwn(routes, path) && routes[path]) || notFound

export const isTabRoot = (path: string): boolean => routeOf(path).root === true
