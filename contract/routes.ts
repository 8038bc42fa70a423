import { contentRoutes } from './content.ts'
import { fundRoutes } from './fund.ts'
import { orderRoutes } from './orders.ts'
import { productRoutes } from './products.ts'
import { sessionRoutes } from './session.ts'
import { walletRoutes } from './wallet.ts'

/** Every API call. The client imports the nouns it needs; the venue and OpenAPI use the whole table. */
export const routes = {
  ...sessionRoutes,
  ...productRoutes,
  ...orderRoutes,
  ...walletRoutes,
  ...fundRoutes,
  ...contentRoutes,
}
