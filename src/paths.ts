/** Every address of the app, exactly as the specification spells it. */
export const paths = {
  welcome: '/',
  home: '/pages/index/index',
  products: '/pages/product/product',
  user: '/pages/user/user',
  product: '/pages/Detail/Detail',
  orders: '/pages/order/order',
  order: '/pages/order/detail',
  login: '/pages/login/login',
  registerCheck: '/pages/login/registerCheck',
  register: '/pages/login/register',
  settings: '/pages/set/set',
} as const
