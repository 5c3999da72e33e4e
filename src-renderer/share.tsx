import './ui/tokens.css';
import './features/recipient/recipient.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RecipientPage } from './features/recipient/page.tsx';

// Recipients have no settings: the page follows their system.
const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = (): void => {
  document.documentElement.dataset['theme'] = dark.matches ? 'dark' : 'light';
};
applyTheme();
dark.addEventListener('change', applyTheme);

const place = document.getElementById('root');
if (!place) throw new Error('share.html has no #root');
createRoot(place).render(
  <StrictMode>
    <RecipientPage token={location.pathname.split('/')[2] ?? ''} />
  </StrictMode>,
);
