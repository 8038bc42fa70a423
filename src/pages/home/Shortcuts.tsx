import { useTranslation } from 'react-i18next'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Card, Icon } from '../../ui/index.ts'
import type { IconName } from '../../ui/index.ts'
import styles from './Shortcuts.module.css'

const shortcuts: readonly {
  label: 'trade' | 'orders' | 'account' | 'settings'
  href: string
  icon: IconName
}[] = [
  { label: 'trade', href: hrefTo(paths.products), icon: 'chart-line-up' },
  { label: 'orders', href: hrefTo(paths.orders), icon: 'receipt' },
  { label: 'account', href: hrefTo(paths.user), icon: 'user-circle' },
  { label: 'settings', href: hrefTo(paths.settings), icon: 'gear-six' },
]

/** Equal tiles of plain ink on one card. */
export function Shortcuts() {
  const { t } = useTranslation()
  return (
    <Card>
      <nav aria-label={t('home.shortcuts')}>
        <ul className={styles.tiles}>
          {shortcuts.map(({ label, href, icon }) => (
            <li key={label}>
              <a className={styles.tile} href={href}>
                <Icon name={icon} size={24} />
                <span className={styles.label}>{t(`home.${label}`)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </Card>
  )
}
