import type { ComponentType } from 'react'
import type { Pack } from './text/i18n.ts'
import { ProductSkeleton } from './pages/product/ProductSkeleton.tsx'
import { streamlessPage, lazyPage, type LazyPage } from './shell/lazyPage.ts'
import { paths, welcomePaths, type TabId } from './paths.ts'

export type RouteTitle = keyof Pack['title']

export type PageRoute = {
  page: LazyPage
  /** Left out if the app's own name is enough. */
  title?: RouteTitle
  /** Requires a member; guests are redirected to log in and back. */
  membersOnly?: true
  /** For guests only: a member is redirected to the home page. */
  guestsOnly?: true
  /** The tab that the page belongs to. */
  tab?: TabId
  /** The page has the money ground, also while it loads. */
  money?: true
  /** Shown while the page's code loads, instead of a spinner. */
  skeleton?: ComponentType
}

const welcome: PageRoute = {
  page: streamlessPage(() => import('./pages/welcome/Welcome.tsx').then((m) => m.Welcome)),
  title: 'welcome',
  guestsOnly: true,
}

export const routes: Readonly<Record<string, PageRoute>> = {
  ...Object.fromEntries(welcomePaths.map((path) => [path, welcome])),
  [paths.login]: {
    page: streamlessPage(() => import('./pages/login/Login.tsx').then((m) => m.Login)),
    title: 'login',
    guestsOnly: true,
  },
  [paths.registerCheck]: {
    page: streamlessPage(() => import('./pages/login/RegisterCheck.tsx').then((m) => m.RegisterCheck)),
    title: 'register',
    guestsOnly: true,
  },
  [paths.register]: {
    page: streamlessPage(() => import('./pages/login/Register.tsx').then((m) => m.Register)),
    title: 'register',
    guestsOnly: true,
  },
  [paths.recover]: {
    page: streamlessPage(() => import('./pages/login/Recover.tsx').then((m) => m.Recover)),
    title: 'recover',
  },
  [paths.home]: {
    page: lazyPage(() => import('./pages/home/Home.tsx').then((m) => m.Home)),
    title: 'home',
    membersOnly: true,
    money: true,
    tab: 'home',
  },
  [paths.products]: {
    page: lazyPage(() => import('./pages/products/Products.tsx').then((m) => m.Products)),
    title: 'products',
    tab: 'products',
  },
  [paths.product]: {
    page: lazyPage(() => import('./pages/product/Product.tsx').then((m) => m.Product)),
    skeleton: ProductSkeleton,
    title: 'product',
    tab: 'products',
  },
  [paths.orders]: {
    page: lazyPage(() => import('./pages/order/Orders.tsx').then((m) => m.Orders)),
    title: 'orders',
    membersOnly: true,
    tab: 'home',
  },
  [paths.order]: {
    page: lazyPage(() => import('./pages/order/OrderPage.tsx').then((m) => m.OrderPage)),
    title: 'order',
    membersOnly: true,
    tab: 'home',
  },
  [paths.results]: {
    page: lazyPage(() => import('./pages/results/Results.tsx').then((m) => m.Results)),
    title: 'results',
    membersOnly: true,
    money: true,
    tab: 'home',
  },
  [paths.fund]: {
    page: lazyPage(() => import('./pages/fund/Fund.tsx').then((m) => m.Fund)),
    title: 'fund',
    membersOnly: true,
    money: true,
    tab: 'fund',
  },
  [paths.fundDetails]: {
    page: lazyPage(() => import('./pages/fund/FundDetails.tsx').then((m) => m.FundDetails)),
    title: 'fundDetails',
    membersOnly: true,
    money: true,
    tab: 'fund',
  },
  [paths.fundRules]: {
    page: lazyPage(() => import('./pages/fund/FundRules.tsx').then((m) => m.FundRules)),
    title: 'fundRules',
    membersOnly: true,
    money: true,
    tab: 'fund',
  },
  [paths.transfer]: {
    page: lazyPage(() => import('./pages/fund/Transfer.tsx').then((m) => m.Transfer)),
    title: 'transfer',
    membersOnly: true,
    tab: 'fund',
  },
  [paths.user]: {
    page: lazyPage(() => import('./pages/user/Account.tsx').then((m) => m.Account)),
    title: 'account',
    membersOnly: true,
    money: true,
    tab: 'user',
  },
  [paths.deposit]: {
    page: lazyPage(() => import('./pages/wallet/Deposit.tsx').then((m) => m.Deposit)),
    title: 'deposit',
    membersOnly: true,
    tab: 'user',
  },
  [paths.deposits]: {
    page: lazyPage(() => import('./pages/wallet/Deposits.tsx').then((m) => m.Deposits)),
    title: 'deposits',
    membersOnly: true,
    tab: 'user',
  },
  [paths.withdraw]: {
    page: lazyPage(() => import('./pages/wallet/Withdraw.tsx').then((m) => m.Withdraw)),
    title: 'withdraw',
    membersOnly: true,
    tab: 'user',
  },
  [paths.withdrawals]: {
    page: lazyPage(() => import('./pages/wallet/Withdrawals.tsx').then((m) => m.Withdrawals)),
    title: 'withdrawals',
    membersOnly: true,
    tab: 'user',
  },
  [paths.account]: {
    page: lazyPage(() =>
      import('./pages/wallet/WithdrawalAccountPage.tsx').then((m) => m.WithdrawalAccountPage),
    ),
    title: 'withdrawalAccount',
    membersOnly: true,
    money: true,
    tab: 'user',
  },
  [paths.accountDetail]: {
    page: lazyPage(() =>
      import('./pages/wallet/WithdrawalAccountDetail.tsx').then((m) => m.WithdrawalAccountDetail),
    ),
    title: 'withdrawalAccountDetail',
    membersOnly: true,
    tab: 'user',
  },
  [paths.moneyRecord]: {
    page: lazyPage(() => import('./pages/wallet/MoneyRecord.tsx').then((m) => m.MoneyRecord)),
    title: 'moneyRecord',
    membersOnly: true,
    tab: 'user',
  },
  [paths.verify]: {
    page: lazyPage(() => import('./pages/verify/Verify.tsx').then((m) => m.Verify)),
    title: 'verify',
    membersOnly: true,
    tab: 'user',
  },
  [paths.password]: {
    page: lazyPage(() => import('./pages/password/Password.tsx').then((m) => m.Password)),
    title: 'password',
    membersOnly: true,
    tab: 'user',
  },
  [paths.limits]: {
    page: lazyPage(() => import('./pages/selfLimits/SelfLimitsPage.tsx').then((m) => m.SelfLimitsPage)),
    title: 'limits',
    membersOnly: true,
    money: true,
    tab: 'user',
  },
  [paths.sessions]: {
    page: lazyPage(() => import('./pages/sessions/Sessions.tsx').then((m) => m.Sessions)),
    title: 'sessions',
    membersOnly: true,
    money: true,
    tab: 'user',
  },
  [paths.security]: {
    page: lazyPage(() => import('./pages/security/SecurityPage.tsx').then((m) => m.SecurityPage)),
    title: 'security',
    membersOnly: true,
    money: true,
    tab: 'user',
  },
  [paths.ownData]: {
    page: lazyPage(() => import('./pages/ownData/OwnData.tsx').then((m) => m.OwnData)),
    title: 'ownData',
    membersOnly: true,
    money: true,
    tab: 'user',
  },
  [paths.settings]: {
    page: lazyPage(() => import('./pages/user/Settings.tsx').then((m) => m.Settings)),
    title: 'settings',
    money: true,
    tab: 'user',
  },
  [paths.messages]: {
    page: lazyPage(() => import('./pages/message/Messages.tsx').then((m) => m.Messages)),
    title: 'messages',
    membersOnly: true,
    tab: 'home',
  },
  [paths.alerts]: {
    page: lazyPage(() => import('./pages/alerts/Alerts.tsx').then((m) => m.Alerts)),
    title: 'alerts',
    membersOnly: true,
    tab: 'home',
  },
  [paths.service]: {
    page: lazyPage(() => import('./pages/service/Service.tsx').then((m) => m.Service)),
    title: 'service',
    membersOnly: true,
    tab: 'home',
  },
  [paths.about]: {
    page: lazyPage(() => import('./pages/content/StaticPages.tsx').then((m) => m.About)),
    title: 'about',
    tab: 'home',
  },
  [paths.check]: {
    page: lazyPage(() => import('./pages/check/ProofGuide.tsx').then((m) => m.ProofGuide)),
    title: 'check',
    tab: 'home',
  },
  [paths.checkFile]: {
    page: lazyPage(() => import('./pages/check/CheckFile.tsx').then((m) => m.CheckFile)),
    title: 'checkFile',
    tab: 'home',
  },
  [paths.status]: {
    page: lazyPage(() => import('./pages/status/Status.tsx').then((m) => m.Status)),
    title: 'status',
    tab: 'home',
  },
  [paths.privacy]: {
    page: lazyPage(() => import('./pages/content/StaticPages.tsx').then((m) => m.Privacy)),
    title: 'privacy',
    tab: 'home',
  },
  [paths.privacy2]: {
    page: lazyPage(() => import('./pages/content/StaticPages.tsx').then((m) => m.Privacy2)),
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
    page: lazyPage(() => import('./pages/content/ArticlePage.tsx').then((m) => m.ArticlePage)),
    title: 'article',
    tab: 'home',
  },
}

export const notFound: PageRoute = {
  page: streamlessPage(() => import('./pages/notFound/NotFound.tsx').then((m) => m.NotFound)),
  title: 'notFound',
}

/** The route of a path; case-sensitive. */
export const routeOf = (path: string): PageRoute => (Object.hasOwn(routes, path) && routes[path]) || notFound
