import { useTranslation } from 'react-i18next'
import { useServiceHref } from '../../hooks/useVenue.ts'
import { useUnread } from '../../hooks/useUnread.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Card, Icon, VisuallyHidden, type IconName } from '../../ui/index.ts'
import styles from './QuickLinks.module.css'

type QuickLink = 'quickDeposit' | 'trade' | 'orders' | 'method' | 'support' | 'messages' | 'about' | 'privacy'

const quickLinks: readonly { label: QuickLink; href: string; icon: IconName }[] = [
  { label: 'quickDeposit', href: hrefTo(paths.deposit), icon: 'lightning' },
  { label: 'trade', href: hrefTo(paths.products), icon: 'chart-line-up' },
  { label: 'orders', href: hrefTo(paths.orders), icon: 'receipt' },
  { label: 'method', href: hrefTo(paths.account), icon: 'bank' },
  { label: 'support', href: hrefTo(paths.service), icon: 'chat-circle-text' },
  { label: 'messages', href: hrefTo(paths.messages), icon: 'envelope-simple' },
  { label: 'about', href: hrefTo(paths.about), icon: 'info' },
  { label: 'privacy', href: hrefTo(paths.privacy), icon: 'shield-check' },
]

/** Equal tiles on one card. */
export function QuickLinks() {
  const { t } = useTranslation()
  const service = useServiceHref()
  const unread = useUnread()
  return (
    <Card>
      <nav className={styles.nav} aria-label={t('home.shortcuts')}>
        <ul className={styles.tiles}>
          {quickLinks.map(({ label, href, icon }) => (
            <li key={label}>
              <a className={styles.tile} href={label === 'support' ? service : href}>
                <span className={styles.icon}>
                  <Icon name={icon} size={24} />
                  {label === 'support' && unread.service > 0 && <UnreadCount count={unread.service} />}
                </span>
                <span className={styles.label}>{t(`home.${label}`)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </Card>
  )
}

/** The number of unread answers from customer service. */
function UnreadCount({ count }: { count: number }) {
  const { t } = useTranslation()
  return (
    <span className={styles.count}>
      {count > 99 ? '99+' : count}
      <VisuallyHidden> {t('message.unread')}</VisuallyHidden>
    </span>
  )
}
