import { Board } from '../board/Board';
import { ModShell } from './ModShell';
import { lazyScreen } from './lazyScreen';

// Moderators open the board first, so its code is in the entry chunk; other screens
// are loaded when their address is opened.
export { Board, ModShell };
export const ReportPage = lazyScreen(() => import('../report/ReportPage').then((m) => m.ReportPage));
export const Dashboard = lazyScreen(() => import('../dashboard/Dashboard').then((m) => m.Dashboard));
export const Cases = lazyScreen(() => import('../cases/Cases').then((m) => m.Cases));
export const CasePage = lazyScreen(() => import('../cases/CasePage').then((m) => m.CasePage));
export const SignIn = lazyScreen(() => import('../account/SignIn').then((m) => m.SignIn));
