import type { Pack } from './i18n.ts'
import { lazyPage } from './shell/lazyPage.ts'
import type { LazyPage } from './shell/lazyPage.ts'
import { paths } from './paths.ts'

export type TabId = 'home' | 'products' | 'user'
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
  page: lazyPage(() => import('./pages/welcome/Welcome.tsx').then((m) => m.Welcome)),
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
  [paths.welcome]: welcome,
  '/pages/welcome/welcome': welcome,
  [paths.login]: {
    page: lazyPage(() => import('./pages/login/Login.tsx').then((m) => m.Login)),
    title: 'login',
    guest: true,
  },
  [paths.registerCheck]: {
    page: lazyPage(() => import('./pages/login/RegisterCheck.tsx').then((m) => m.RegisterCheck)),
    title: 'register',
    guest: true,
  },
  [paths.register]: {
    page: lazyPage(() => import('./pages/login/Register.tsx').then((m) => m.Register)),
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
  [paths.user]: {
    page: lazyPage(() => import('./pages/user/Account.tsx').then((m) => m.Account)),
    title: 'account',
    member: true,
    money: true,
    tab: 'user',
    root: true,
  },
  ...gallery,
  [paths.settings]: {
    page: lazyPage(() => import('./pages/user/Settings.tsx').then((m) => m.Settings)),
    title: 'settings',
    money: true,
    tab: 'user',
  },
}

export const notFound: PageRoute = {
  page: lazyPage(() => import('./pages/notFound/NotFound.tsx').then((m) => m.NotFound)),
  title: 'notFound',
}

/** The route of a path; letters count as written. */
export const routeOf = (path: string): PageRoute => (Object.hasOwn(routes, path) && routes[path]) || notFound

export const isTabRoot = (path: string): boolean => routeOf(path).root === true
