import { officeRoutes } from '../../contract/office/routes.ts'
import { Icon } from '../../src/ui/Icon.tsx'
import { useOfficeCall } from '../data/useOfficeCall.ts'
import { useOfficeFormat } from '../data/useOfficeFormat.ts'
import { useTexts } from '../i18n.ts'
import styles from './SiteBanner.module.css'

const everyMs = 30_000

/** On every screen while the site takes no orders: members ask why. */
export function SiteBanner() {
  const t = useTexts()
  const format = useOfficeFormat()
  const { data } = useOfficeCall(officeRoutes.site.show, {}, { everyMs })
  return (
    <div role="status">
      {data?.status === 'maintenance' && (
        <p className={styles.banner}>
          <Icon name="warning-circle-fill" size={16} />
          {data.opensAt === null
            ? t('site.bannerOpen')
            : t('site.banner', { at: format.dateTime(data.opensAt) })}
        </p>
      )}
    </div>
  )
}
