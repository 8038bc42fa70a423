import type { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import type { Texts } from '../../i18n.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { When } from '../../ui/When.tsx'

type Product = RouteAnswer<typeof officeRoutes.products.list>['items'][number]

/** A product's state; its prices are not among what the office shows or changes. */
export const productColumns = (t: Texts, isSiteUp: boolean): Column<Product>[] => [
  { key: 'code', head: t('product.code'), cell: ({ code }) => code },
  {
    key: 'status',
    head: t('column.status'),
    cell: ({ status }) =>
      isSiteUp || status === 'maintenance' ? (
        <Badge kind={status === 'maintenance' ? 'warn' : 'plain'}>{t(`product.status.${status}`)}</Badge>
      ) : (
        <Badge kind="warn">{t('product.withSite')}</Badge>
      ),
  },
  { key: 'opensAt', head: t('site.opensAt'), cell: ({ opensAt }) => <When at={opensAt} /> },
  {
    key: 'feed',
    head: t('product.feed'),
    cell: ({ feed }) => (
      <Badge kind={feed === 'live' ? 'plain' : feed === 'stale' ? 'warn' : 'danger'}>
        {t(`product.feeds.${feed}`)}
      </Badge>
    ),
  },
  { key: 'lastAt', head: t('product.lastAt'), minor: true, cell: ({ lastAt }) => <When at={lastAt} /> },
]
