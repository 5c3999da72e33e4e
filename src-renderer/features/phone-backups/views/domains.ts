/** Where the attachments of conversations stand. */
export const DOMAIN = {
  messages: 'MediaDomain',
  whatsapp: 'AppDomainGroup-group.net.whatsapp.WhatsApp.shared',
} as const;
