import { useTranslation } from 'react-i18next'
import { useUnread } from '../../hooks/useUnread.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { IconButton } from '../../ui/index.ts'

/** The link to the messages, with the number of unread ones. */
export function Bell() {
  const { t } = useTranslation()
  const { messages } = useUnread()
  const label = messages === 0 ? t('nav.messages') : t('message.bell', { count: messages })
  return <IconButton icon="bell" label={label} count={messages} href={hrefTo(paths.messages)} />
}
