import { Board } from '../board/Board';
import { ModShell } from './ModShell';
import { screen } from './screen';

// The board is what moderators open, so its code comes with the first file; that
// of other screens comes when an address asks for them.
export { Board, ModShell };
export const ReportPage = screen(() => import('../report/ReportPage').then((m) => m.ReportPage));
export const Dashboard = screen(() => import('../dashboard/Dashboard').then((m) => m.Dashboard));
