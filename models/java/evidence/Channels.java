package evidence;

/** Tests a channel and uses what it reads again; others set the field to null. */
public class Channels {
    private volatile Channel channel = new Channel();

    public boolean isActive() {
        return getChannel() != null && getChannel().isOpen();
    }

    private Channel getChannel() {
        return channel;
    }

    private void setChannel(Channel to) {
        channel = to;
    }

    public void reconnect() {
        setChannel(null);
        setChannel(new Channel());
    }

    static final class Channel {
        final boolean isOpen = hashCode() != 0;

        boolean isOpen() {
            return isOpen;
        }
    }
}
