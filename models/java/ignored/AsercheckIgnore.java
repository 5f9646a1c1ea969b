package ignored;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** What is found here is known, for the reason that is given. */
@Retention(RetentionPolicy.CLASS)
@interface AsercheckIgnore {
    String value() default "";
}
